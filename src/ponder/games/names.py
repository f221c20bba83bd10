"""The games by name: see `ponder.core.registry`."""

GAMES = {
    "backgammon": "ponder.games.backgammon.game:Backgammon",
    "bandit": "ponder.games.bandit:Bandit",
    "breakthrough": "ponder.games.breakthrough:Breakthrough",
    "checkers": "ponder.games.checkers.rules:Checkers",
    "chess": "ponder.games.chess.game:Chess",
    "chinese_checkers": "ponder.games.chinese_checkers.game:ChineseCheckers",
    "connect4": "ponder.games.connect4:ConnectFour",
    "gem": "ponder.games.gem:Gem",
    "go": "ponder.games.go.game:Go",
    "hex": "ponder.games.hex:Hex",
    "nim": "ponder.games.nim:Nim",
    "othello": "ponder.games.othello:Othello",
    "pacman": "ponder.games.pacman:PacMan",
    "pgame": "ponder.games.pgame:PGame",
    "pig": "ponder.games.pig:Pig",
    "tictactoe": "ponder.games.tictactoe:TicTacToe",
    "tree": "ponder.games.tree:TreeGame",
    "twenty48": "ponder.games.twenty48:Twenty48",
}
