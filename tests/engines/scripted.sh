#!/bin/sh
# A Gomocup engine that plays the first empty point, row by row, and fails as its first argument says at its second
# move of a game. It needs no program but sleep.
#
#   sound        never fails
#   slow         sleeps 0.2 s before each move
#   crash-start  exits before it reads anything        refuse   answers START with ERROR
#   crash        exits in place of a move              silent   says nothing
#   late         moves after 1.5 s                     occupied plays on a stone
#   off-board    plays 99,99                           forbidden plays 7,7 whatever the rule says of it
#   garbage      a line of nonsense before the move    nonsense a line of nonsense in place of it
#   twice        two moves at once                     children leaves two processes behind, named by $2
#   swap, stone, two   answer SWAP2BOARD with 3 stones so, and play soundly
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

say_free() { first_free; place $point; echo $point; }

move() {
    asked=$((asked + 1))
    if [ $asked -eq 2 ]; then
        case $fault in
            crash) echo 'last words' >&2; exit 3 ;;
            silent) return ;;
            late) sleep 1.5 ;;
            occupied) echo "${taken% }" | { read -r first rest; echo "$first"; }; return ;;
            off-board) echo 99,99; return ;;
            garbage) echo 'banana' ;;
            nonsense) echo 'banana'; return ;;
        esac
    fi
    [ $fault = slow ] && sleep 0.2
    [ $fault = forbidden ] && case $taken in *' 7,7 '*) ;; *) place 7,7; echo 7,7; return ;; esac
    if [ $asked -eq 2 ] && [ $fault = twice ]; then
        first_free
        printf '%s\n0,14\n' $point
    else
        say_free
    fi
}

swap2() {
    case $listed in
        0) echo '7,7 8,7 9,9' ;;
        3) case $fault in swap) echo SWAP ;; two) echo '0,0 0,1' ;; *) echo '0,0' ;; esac ;;
        5) if [ $fault = swap ]; then echo SWAP; else echo '14,14'; fi ;;
    esac
}

[ $fault = crash-start ] && exit 1
if [ $fault = children ]; then
    sleep "$2" &
    command -v setsid > /dev/null && setsid sleep "$2" &
fi
list=
while read -r word argument; do
    case $word in
        START)
            size=$argument asked=0 taken=' '
            if [ $fault = refuse ]; then echo 'ERROR no boards today'; else echo OK; fi ;;
        BOARD | SWAP2BOARD) list=$word taken=' ' listed=0 ;;
        DONE) if [ $list = BOARD ]; then move; else swap2; fi ;;
        [0-9]*) listed=$((listed + 1)); if [ $list = BOARD ]; then place "${word%,*}"; else place "$word"; fi ;;
        BEGIN) move ;;
        TURN) place "$argument"; move ;;
        END) exit 0 ;;
    esac
done
