#!/bin/sh
# A Gomocup engine that plays the first empty point, row by row, and fails as its first argument says at its second
# move of a game. It needs no program but sleep; the faults of streams and
# processes need yes, setsid, env, head and tr as well.
#
#   sound        never fails; it alone knows RESTART
#   once         a program for one game: ends after its third move
#   slow         sleeps 0.2 s before each move
#   crash-start  exits before it reads anything        refuse   answers START with ERROR
#   crash        exits in place of a move              silent   says nothing
#   late         moves after 5 s                       occupied plays on a stone
#   off-board    plays 99,99                           forbidden plays 7,7 whatever the rule says of it
#   garbage      a line of nonsense before the move    nonsense a line of nonsense in place of it
#   twice        two moves at once                     children leaves two processes behind, named by $2
#   swap, stone, two   answer SWAP2BOARD with 3 stones so, and play soundly; OPENBOARD is answered by any stones, then SWAP
#
# Faults of the streams:
#   late-start   OK after 6 s                          flood-start  lines without end before OK
#   flood-move   lines without end in place of a move  flood-after  a child that writes lines without end
#   flood-errors a child that floods the error output  no-newline   a move without the end of its line
#   long-line    a line of 10 MB before the move       bytes        no UTF-8 and a NUL before the move
#   utf-16       the move in UTF-16                    deaf         reads nothing after its first move
#   deaf-start   reads nothing after START
#
# Faults of processes, whose children are named by $2:
#   stop         suspends itself                       stay         ignores END, the end of its input, and signals
#   leave        leaves processes behind in every way: in the group, a session of its own, no environment, orphans
#   chain        leaves one that forks and ends, again and again, in sessions of their own
#   hoard        an orphan without environment takes 60 MB
#   orphan       kills its parent                      fork         sleeps without end in a child of its group
fault=$1

place() { taken="$taken$1 "; }

first_free() {
    y=0
    while [ $y -lt "$size" ]; do
        x=0
        while [ $x -lt "$size" ]; do
            case $taken in *" $x,$y "*) ;; *) point=$x,$y; return ;; esac
            x=$((x + 1))
        done
        y=$((y + 1))
    done
}

# Writes as fast as it can.
flood() { exec yes "MESSAGE on and on $word"; }

say_free() { first_free; place $point; echo $point; }

move() {
    asked=$((asked + 1))
    if [ $asked -eq 2 ]; then
        case $fault in
            crash) echo 'last words' >&2; exit 3 ;;
            silent) return ;;
            late) sleep 5 ;;
            occupied) echo "${taken% }" | { read -r first rest; echo "$first"; }; return ;;
            off-board) echo 99,99; return ;;
            garbage) echo 'banana' ;;
            nonsense) echo 'banana'; return ;;
            flood-move) flood ;;
            flood-after) while :; do echo 'MESSAGE on and on'; done & ;;
            flood-errors) while :; do echo 'on and on' >&2; done & ;;
            no-newline) first_free; printf %s $point; return ;;
            long-line) head -c 10000000 /dev/zero | tr '\0' x; echo ;;
            bytes) printf 'MESSAGE \377\376\300\n\000 \000\n' ;;
            utf-16) printf '0\000,\0000\000\n\000'; return ;;
            stop) kill -STOP $$ ;;
            hoard) (env -i "$(command -v setsid)" sh -c "$hoard" sh "$word" &) | { read -r ready; } ;;
            orphan) kill -KILL $PPID; sleep 2 ;;
        esac
    fi
    [ $asked -eq 2 ] && [ $fault = deaf ] && exec sleep "$word"
    [ $fault = slow ] && sleep 0.2
    [ $fault = forbidden ] && case $taken in *' 7,7 '*) ;; *) place 7,7; echo 7,7; return ;; esac
    if [ $asked -eq 2 ] && [ $fault = twice ]; then
        first_free
        printf '%s\n0,14\n' $point
    else
        say_free
    fi
    if [ $fault = once ] && [ $asked -eq 3 ]; then exit 0; fi
}

swap2() {
    case $listed in
        0) echo '7,7 8,7 9,9' ;;
        3) case $fault in swap) echo SWAP ;; two) echo '0,0 0,1' ;; *) echo '0,0' ;; esac ;;
        5) if [ $fault = swap ]; then echo SWAP; else echo '14,14'; fi ;;
    esac
}

# Three stones that no table of openings has; then black.
openboard() { if [ $listed -eq 0 ]; then echo '7,7 7,8 12,12'; else echo SWAP; fi; }

# Holds 60 MB of text and says so. The number in its command line names it.
hoard='x=$(head -c 60000000 /dev/zero | tr "\0" x); echo; sleep "$1"'
# Each generation starts the next in a session of its own and ends.
chain='sleep 0.01; setsid sh -c "$0" "$0" "$1" &'
word=$2

[ $fault = crash-start ] && exit 1
[ $fault = stay ] && trap '' HUP INT TERM
if [ $fault = children ]; then
    sleep "$2" &
    command -v setsid > /dev/null && setsid sleep "$2" &
fi
case $fault in
    leave)
        sleep "$word" &
        setsid sleep "$word" &
        env -i "$(command -v setsid)" sleep "$word" &
        (setsid sh -c 'env -i sleep "$1" & sleep "$1"' sh "$word" &)
        trap '' TERM ;;
    chain) setsid sh -c "$chain" "$chain" "$word" & ;;
    fork) sleep "$word" & ;;
    flood-start) flood ;;
esac
list=
while read -r command argument; do
    case $command in
        RESTART)
            [ $fault = sound ] || { echo 'UNKNOWN command'; continue; }
            asked=0 taken=' '
            echo OK ;;
        START)
            size=$argument asked=0 taken=' '
            [ $fault = late-start ] && sleep 6
            if [ $fault = refuse ]; then echo 'ERROR no boards today'; else echo OK; fi
            [ $fault = deaf-start ] && exec sleep "$word" ;;
        BOARD | SWAP2BOARD | OPENBOARD) list=$command taken=' ' listed=0 ;;
        DONE) case $list in BOARD) move ;; OPENBOARD) openboard ;; *) swap2 ;; esac ;;
        [0-9]*) listed=$((listed + 1)); if [ $list = BOARD ]; then place "${command%,*}"; else place "$command"; fi ;;
        BEGIN) move ;;
        TURN) place "$argument"; move ;;
        END) [ $fault = stay ] || exit 0 ;;
    esac
done
while [ $fault = stay ]; do sleep 1; done
