"""The games by name: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat

GAMES = {
    "backgammon": "ponder.games.backgammon.game:Backgammon",
    "bandit": "ponder.games.bandit:Bandit",
    "breakthrough": "ponder.games.breakthrough:Breakthrough",
    "checkers": "ponder.games.checkers.rules:Checkers",
    "chess": "ponder.games.chess.game:Chess",
    "chinese_checkers": "ponder.games.chinese_checkers.game:ChineseCheckers",
    "connect4": "ponder.games.connect4:ConnectFour",
    "falling_blocks": "ponder.games.falling_blocks.game:FallingBlocks",
    "gem": "ponder.games.gem:Gem",
    "go": "ponder.games.go.game:Go",
    "hex": "ponder.games.hex:Hex",
    "nim": "ponder.games.nim:Nim",
    "othello": "ponder.games.othello:Othello",
    "pacman": "ponder.games.pacman:PacMan",
    "pgame": "ponder.games.pgame:PGame",
    "pig": "ponder.games.pig:Pig",
    "property_trading": "ponder.games.property_trading.game:PropertyTrading",
    "tictactoe": "ponder.games.tictactoe:TicTacToe",
    "tree": "ponder.games.tree:TreeGame",
    "twenty48": "ponder.games.twenty48:Twenty48",
}

FORMATS = {
    "game tree": FileFormat(
        "a game tree",
        b"",
        "game.tree",
        "ponder.games.example_files:write_game_tree",
        "ponder.games.example_files:read_game_tree",
    ),
    "pgn": FileFormat(
        "a PGN file",
        b"",
        "games.pgn",
        "ponder.games.example_files:write_pgn",
        "ponder.games.example_files:read_pgn",
    ),
    "position": FileFormat(
        "a saved position",
        b'{\n "game"',
        "position.json",
        "ponder.games.example_files:write_position",
        "ponder.games.example_files:read_position",
    ),
    "sgf": FileFormat(
        "an SGF file",
        b"",
        "game.sgf",
        "ponder.games.example_files:write_sgf",
        "ponder.games.example_files:read_sgf",
    ),
}
