#!/usr/bin/env bash
# Two engines play each other to a five: freestyle, standard, renju and both caro rules on 15 x 15, freestyle on 20 x 20.
#
#   self-play.sh [ENGINE]        the engine, target/release/pbrain-tengen where none is named
#
# The referee is this script: a move must be on the board and on an empty point, under renju none of black's may be
# forbidden, and the game ends with the first row that the rule lets win. The players go by different weightings, so that
# one of them gets the better of the other. Prints the moves and the winner; fails where a game does not end in a five.

set -euo pipefail

engine=${1:-target/release/pbrain-tengen}
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT

# start COLOR WEIGHTS: an engine whose input is descriptor in[COLOR] and whose output is out[COLOR].
start() {
    mkfifo "$pipes/in$1" "$pipes/out$1"
    "$engine" --weights "$2" <"$pipes/in$1" >"$pipes/out$1" &
    exec {in[$1]}>"$pipes/in$1" {out[$1]}<"$pipes/out$1"
    rm "$pipes/in$1" "$pipes/out$1"
}

# ask COLOR LINE: sends a line and puts the answer into the variable answer.
ask() {
    printf '%s\n' "$2" >&"${in[$1]}"
    IFS= read -r -t 20 -u "${out[$1]}" answer || { echo "no answer to $2"; exit 1; }
}

# row X Y DX DY: the length of the row through a stone, and into held how many of its ends stones of the other color hold.
row() {
    local color=${board[$1,$2]} sign x y
    length=1 held=0
    for sign in 1 -1; do
        x=$(($1 + sign * $3)) y=$(($2 + sign * $4))
        while [ "${board[$x,$y]:-}" = "$color" ]; do
            length=$((length + 1)) x=$((x + sign * $3)) y=$((y + sign * $4))
        done
        [ -z "${board[$x,$y]:-}" ] || held=$((held + 1))
    done
}

# wins X Y: whether the stone wins under the rule.
wins() {
    local direction
    for direction in "1 0" "0 1" "1 1" "1 -1"; do
        # shellcheck disable=SC2086
        row "$1" "$2" $direction
        case $rule in
            0) ((length >= 5)) && return 0 ;;
            1) ((length == 5)) && return 0 ;;
            4) ((length == 5 || (length > 5 && board[$1,$2] == 1))) && return 0 ;;
            8) ((length > 5 || (length == 5 && held < 2))) && return 0 ;;
            9) ((length == 5 && held < 2)) && return 0 ;;
        esac
    done
    return 1
}

# is_forbidden X Y PAIRS: whether the point is among the pairs of two digits each.
is_forbidden() {
    local point pairs=$3
    point=$(printf '%02d%02d' "$1" "$2")
    while [ "${#pairs}" -ge 4 ]; do
        [ "${pairs:0:4}" != "$point" ] || return 0
        pairs=${pairs:4}
    done
    return 1
}

# play RULE SIZE: a game.
play() {
    local rule=$1 size=$2 color=0 move=0 moves="" last="" forbidden=. x y
    local -A board=()
    local -a in=() out=() names=(black white)
    start 0 shapes
    start 1 runs
    for color in 0 1; do
        ask $color "START $size"
        [ "$answer" = OK ] || { echo "START $size: $answer"; exit 1; }
        printf 'INFO timeout_turn 1000\nINFO rule %s\n' "$rule" >&"${in[$color]}"
    done
    color=0
    while ((move < size * size)); do
        if ((move == 0)); then ask 0 BEGIN; else ask $color "TURN $last"; fi
        [[ $answer =~ ^[0-9]+,[0-9]+$ ]] || { echo "no move: $answer"; exit 1; }
        last=$answer
        x=${answer%,*} y=${answer#*,}
        ((x < size && y < size)) && [ -z "${board[$last]:-}" ] || { echo "illegal: $last"; exit 1; }
        if ((color == 0)) && is_forbidden "$x" "$y" "$forbidden"; then
            echo "forbidden: $last"
            exit 1
        fi
        board[$last]=$color
        moves+=" $last"
        move=$((move + 1))
        if wins "$x" "$y"; then
            echo "rule $rule on $size x $size: ${names[$color]} wins with move $move:$moves"
            for color in 0 1; do echo END >&"${in[$color]}"; done
            wait
            return
        fi
        # What black may not answer; white has put its stone, so it knows.
        if ((color == 1)); then ask 1 YXSHOWFORBID && forbidden=${answer#FORBID }; fi
        color=$((1 - color))
    done
    echo "rule $rule on $size x $size: nobody wins:$moves"
    exit 1
}

for rule in 0 1 4 8 9; do
    play $rule 15
done
play 0 20
