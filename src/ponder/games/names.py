"""The games by name: see `ponder.core.registry`."""

from ponder.core.formats import FileFormat, RecordFormat

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

RECORD_FORMATS = {
    "sgf": RecordFormat(
        "SGF",
        "go",
        sign=r"\A\(\s*;",
        read="ponder.games.go.sgf:read_record",
        write="ponder.games.go.sgf:write_record",
        suffix=".sgf",
        each="ponder.games.go.sgf:each_opening",
    ),
    "pgn": RecordFormat(
        "PGN",
        "chess",
        sign=r'^[^\S\n]*\[\s*\w+\s+"',  # blanks of one line: of many lines it would take hours
        sign_of_home=r"\A\d+\.+\s*",
        read="ponder.games.chess.pgn:read_record",
        write="ponder.games.chess.pgn:write_record",
        suffix=".pgn",
        each="ponder.games.chess.pgn:each_opening",
    ),
    "fen": RecordFormat(
        "FEN",
        "chess",
        sign=r"\A[pnbrqkPNBRQK1-8]+(/[pnbrqkPNBRQK1-8]+){7}(\s+[wb](\s|$).*)?\Z",
        read="ponder.games.chess.pgn:read_fen",
    ),
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
