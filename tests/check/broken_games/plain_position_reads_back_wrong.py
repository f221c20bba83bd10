"""parse_position forgets who is to move."""

from plain_countdown import PlainCountdown

FINDING = "position_text"
SAYS = "'[0-9] 1' reads back as '[0-9] 0'"


class Game(PlainCountdown):
    def position_text(self, state):
        return f"{state[0]} {state[1]}"

    def parse_position(self, text):
        return (int(text[0]), 0)
