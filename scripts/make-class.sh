#!/usr/bin/env bash
# Makes a class of 100 submissions to grade: copies of the starters, and the faulty and odd programs of the tests.
#
#     scripts/make-class.sh FOLDER
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
out=$1
mkdir -p "$out"
out=$(realpath "$out")
cd "$(dirname "$0")/.."

number=0
roster=$out.roster.csv
echo "folder,github_id" > "$roster"
next() {
  number=$((number + 1))
  folder=$out/$(printf 'student-%03d' "$number")
  mkdir -p "$folder"
  echo "$(basename "$folder"),id-$number" >> "$roster"
}

# The faults of a file in tests/faulty/faults.txt, one a line.
names() { awk -F' *[|] *' -v file="$1" '$1 == file && $3 != "none" { print $2 }' tests/faulty/faults.txt; }

for fault in $(names Bot.java); do
  next
  cp tests/faulty/Bot.java "$folder/"
  printf '{"build": "javac -encoding UTF-8 Bot.java", "run": "java -cp . Bot %s {host} {port}"}\n' "$fault" > "$folder/bot.json"
done
for fault in $(names bot.py); do
  next
  cp tests/faulty/bot.py "$folder/"
  printf '{"run": "python3 bot.py %s {host} {port}"}\n' "$fault" > "$folder/bot.json"
done
next
echo 'class Poker { public static void main(String[] args) { int x = ; } }' > "$folder/Poker.java"
next
echo 'Sorry, the dog ate it.' > "$folder/README.txt"
while [ "$number" -lt 100 ]; do
  next
  case $((number % 3)) in
    0) cp bots/java/*.java "$folder/" ;;
    1) cp bots/python/poker.py bots/python/strategy.py "$folder/" ;;
    2) cp tests/faulty/bot.py "$folder/"
       echo '{"run": "python3 bot.py sound {host} {port}"}' > "$folder/bot.json" ;;
  esac
done
echo "$number submissions in $out; the roster is $roster"
