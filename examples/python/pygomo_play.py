#!/usr/bin/env python3
"""Plays a short game of the engine against itself by pygomo-lib, a client for Gomocup engines.

    pip install pygomo-lib==0.1.1
    cargo build --release
    python3 examples/python/pygomo_play.py target/release/pbrain-tengen-search

A second argument is the number of moves, by default 10. Needs Python 3.9 or newer. pygomo counts ranks the other way
round than Tengen: its h7 is h9 in Tengen's messages, and `7,6` in the protocol of both.
"""

import sys

from pygomo import BitBoard, BoardPosition, EngineClient, TransportError

SIZE = 15
TURN_MS = 200


def position(moves):
    """The stones for the side to move, which the protocol calls its own."""
    board = BoardPosition()
    for number, move in enumerate(moves):
        is_own = (len(moves) - number) % 2 == 0
        board.add_move(move, BoardPosition.SELF if is_own else BoardPosition.OPPONENT)
    return board


def main(path, count):
    board, moves = BitBoard(SIZE), []
    with EngineClient(path) as engine:
        if not engine.start(SIZE):
            sys.exit(f"{path} does not answer START")
        print(engine.about())
        engine.configure(timeout_turn=TURN_MS, thread_num=1)
        while len(moves) < count:
            played = engine.board(position(moves)) if moves else engine.begin()
            if played is None or not board.place(played.move):
                sys.exit(f"no legal move after {len(moves)} moves")
            moves.append(played.move)
            info = played.search_info
            search = f"score {info.eval.raw_value} depth {info.depth}" if info else "at once"
            print(f"{len(moves):3} {'black' if len(moves) % 2 else 'white'} {played.move} {search}")
            if board.check_win(played.move):
                print("five in a row")
                break
    print(board)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10)
    except TransportError as error:
        sys.exit(str(error))
