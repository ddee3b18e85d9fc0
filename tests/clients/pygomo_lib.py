#!/usr/bin/env python3
"""Reads the engine through pygomo-lib, a client of other hands: are its numbers the ones that the engine means?

    python3 -m venv target/pygomo && target/pygomo/bin/pip install pygomo-lib==0.1.1
    cargo build --release
    target/pygomo/bin/python tests/clients/pygomo_lib.py target/release/pbrain-tengen-search

Exit status 0: everything was read right. It is no part of `cargo test`, which needs Rust and nothing else.
"""

import sys
import time

from pygomo import EngineClient
from pygomo.protocol.models import BoardPosition, Move

STONES = [("7,7", 2), ("8,8", 1), ("8,7", 2)]
BEST_MOVES = 3


def position():
    board = BoardPosition()
    for point, owner in STONES:
        board.add_move(Move(point), owner)
    return board


def check(condition, what, info):
    if not condition:
        raise SystemExit(f"{what}: {info!r}")


def main(path):
    engine = EngineClient(path)
    check(engine.start(15), "START", path)
    about = engine.about()
    check(about and "Tengen" in about, "ABOUT", about)

    engine._execute("INFO", "timeout_turn", 1500)
    began = time.monotonic()
    played = engine.board(position(), timeout=10)
    elapsed = 1000 * (time.monotonic() - began)
    check(played is not None and played.search_info is not None, "BOARD", played)
    reports = [info for info in played.all_info if info.depth > 0]
    check(len(reports) >= 5, "a report for each depth", reports)
    depths = [info.depth for info in reports]
    check(depths == sorted(set(depths)), "depths", depths)
    last = reports[-1]
    check(last.nodes > 10 * reports[0].nodes > 0, "nodes", last)
    check(0 < last.time_ms <= elapsed, "time", last)
    speed = last.nodes / last.time_ms
    check(abs(last.nps - speed) <= 1 + speed / 50, "speed in nodes for each millisecond", last)
    check(last.sel_depth >= last.depth and last.pv[0] == played.move, "line", last)
    check(isinstance(last.eval.score(), int), "score", last)
    print(f"depth {last.depth}-{last.sel_depth} nodes {last.nodes} nps {last.nps} time {last.time_ms} pv {last.pv}")

    engine.board(position(), start_thinking=False)
    engine._execute("INFO", "max_depth", 6)
    best = engine._execute("YXNBEST", BEST_MOVES, timeout=10).data
    ranks = [(info.depth, info.multipv, str(info.pv[0]), info.nodes) for info in best.all_info][-BEST_MOVES:]
    check([rank for _, rank, _, _ in ranks] == [1, 2, 3], "ranks", ranks)
    check(len({point for _, _, point, _ in ranks}) == BEST_MOVES and ranks[0][2] == str(best.move), "moves", ranks)
    print(f"multipv {ranks}")
    engine.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
