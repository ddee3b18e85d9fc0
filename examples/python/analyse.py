#!/usr/bin/env python3
"""Analyses several positions at once by `pbrain-tengen-search analyse`, in lines of JSON (docs/analyse.md).

    cargo build --release
    python3 examples/python/analyse.py target/release/pbrain-tengen-search
    python3 examples/python/analyse.py target/release/pbrain-tengen-search "h8 i9 g9" "h8 h9"

Each argument after the program is a game, as its moves, black first. Needs Python 3.9 or newer and no package.
"""

import json
import subprocess
import sys

GAMES = ["h8 i9 g9", "h8 h9 i9 g7", "h8 i7 i8 j8 g8 a15 f8"]


def show(answer):
    """Prints the final answer to a position: its candidates, best first."""
    if "error" in answer:
        print(f"{answer['id']}: {answer.get('field')}: {answer['error']}")
    elif "over" in answer:
        print(f"{answer['id']}: the game is over, winner: {answer['over']['winner']}")
    else:
        print(f"{answer['id']}: {answer['side']} plays {answer['move']}, depth {answer.get('depth')}")
        for candidate in answer.get("candidates", []):
            if "verdict" not in candidate:  # The greedy picker has weights, a book may have nothing.
                print(f"  {candidate['move']}  weight {candidate.get('total', 'unknown')}")
                continue
            result, chance = candidate["verdict"]["result"], candidate["verdict"]["chance"]
            verdict = f"{result['winner']} wins in {result['moves']} moves" if result else f"black has {chance:.0%}"
            print(f"  {candidate['score']:>6}  {verdict:<24} {' '.join(candidate['line'])}")


def main(program, games):
    # With more than one worker the answers come as they are ready: the id says which position one belongs to.
    engine = subprocess.Popen(
        [program, "analyse", "--positions", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    for moves in games:
        query = {"id": moves, "rule": "freestyle", "size": 15, "moves": moves, "nodes": 20000, "lines": 3}
        print(json.dumps(query), file=engine.stdin)
    engine.stdin.close()  # The engine answers all queries and then ends.
    for line in engine.stdout:
        answer = json.loads(line)
        if answer.get("is_final", True):
            show(answer)
    return engine.wait()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:] or GAMES))
    except OSError as error:
        sys.exit(str(error))
