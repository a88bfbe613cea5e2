#!/usr/bin/env bash
# Makes every page that the program writes, from generated data, into a folder. A new page is one more line below.
# Usage: SCUMBLE=target/debug/scumble pages/make.sh FOLDER; the program of the papers' experiments is beside it, or SCUMBLE_LAB.
set -euo pipefail
scumble=$(realpath "${SCUMBLE:?SCUMBLE names the program}")
lab=$(realpath "${SCUMBLE_LAB:-$(dirname "$scumble")/scumble-lab}")
mkdir -p "$1"
folder=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Runs a program. It is silent unless it fails, and then all that it says is told.
silently() {
    "$@" >said 2>&1 || { echo "error: $(basename "$1") ${*:2}" >&2; cat said >&2; exit 1; }
}

run() {
    silently "$scumble" "$@"
}

# page NAME COMMAND...: a page that a command writes with --report.
page() {
    local name=$1
    shift
    run "$@" --report "$folder/$name.html" --replace
}

# release NAME DATA...: a release and the report in it. Its people are made up and it is seeded, so that two runs give the same pictures.
release() {
    local name=$1
    shift
    run publish "$@" --out "$name" --seed 1 --insecure-seed
    cp "$name/report.html" "$folder/release-$name.html"
}

# comparison NAME DATA...: what methods and parameters come to, beside each other.
comparison() {
    local name=$1
    shift
    run compare "$@" --out "$name"
    cp "$name/comparison.html" "$folder/compare-$name.html"
}

# reproduction PAPER DATA...: the experiments of a paper, on few rows, for it is the page that is looked at.
reproduction() {
    silently "$lab" "$1" --quick --data "${@:2}" --out papers
    cp "papers/$1.html" "$folder/reproduce-$1.html"
}

# Data. Some cells of the payroll are missing, and one column of the census has a long and strange name.
run generate census --rows 3000 --seed 1 --out census.csv
run generate health --rows 3000 --seed 1 --out health.csv
run generate salaries --rows 3000 --seed 1 --out payroll.csv
awk -F, -v OFS=, 'NR > 1 && NR % 7 == 0 { $5 = "" } NR > 1 && NR % 11 == 0 { $10 = "" } { print }' payroll.csv >salaries.csv
school='School & university <b>completed</b> المدرسة 学校 in years and in full'
{ head -n 1 census.csv | awk -v name="${school//&/\\\\&}" '{ sub("education", name); print }'; tail -n +2 census.csv; } >strange.csv
cat >workclass.csv <<'TREE'
private company;private;employed;*
private nonprofit;private;employed;*
household employer;private;employed;*
federal government;public;employed;*
state government;public;employed;*
local government;public;employed;*
armed forces;public;employed;*
self-employed;own business;not employed;*
self-employed incorporated;own business;not employed;*
unpaid family work;unpaid;not employed;*
TREE
people=(--quasi age,gender,education,birthplace,occupation --drop-rest)
staff=(--person ssn --identifying name,email --quasi birth_date,zipcode,sex,department,hire_date --drop-rest)
bodies=(--quasi birth_year,sex,height,weight --sensitive medical_history --drop-rest)

# Releases of every form.
release generalize salaries.csv "${staff[@]}" --sensitive salary,diagnosis --require "k-anonymity(5)" \
    --require "diagnosis: frequency-l-diversity(3)" --require "salary: t-closeness(0.3, ordered)" --max-suppressed 0.02
release hierarchies census.csv --quasi age,gender,workclass,marital --sensitive income --drop-rest \
    --hierarchy workclass=workclass.csv --require "k-anonymity(20)"
release strange strange.csv --quasi "age,$school" --sensitive occupation --drop-rest --require "distinct-l-diversity(4)"
release permute salaries.csv "${staff[@]}" --sensitive salary --require "ke-anonymity(5, 2000)"
release anatomy census.csv "${people[@]}" --sensitive income --method anatomy --require "frequency-l-diversity(4)"
release angel census.csv "${people[@]}" --sensitive income --method angel --angel-k 10 \
    --marginal age,occupation --marginal gender,education --require "frequency-l-diversity(4)"
release proximity census.csv "${people[@]}" --sensitive income --require "proximity-absolute(2, 4)"
release xcolor census.csv "${people[@]}" --sensitive income,workclass --require "dissimilarity(0.1, 0.6, 6)" \
    --distance "l1(income:range*0.7, workclass:equal*0.3)"

# Hierarchies, conditional and plain, and a release with the former.
page hierarchy-conditional hierarchy health.csv --for height,weight --given sex,medical_history,smoking,alcohol \
    --min-count 150 --out trees
page hierarchy-plain hierarchy payroll.csv --for birth_date,zipcode,department --type zipcode=nominal --out plain
release full-domain health.csv "${bodies[@]}" --hierarchy height=trees/height.toml --level height=1 \
    --require "k-anonymity(3)" --max-suppressed 0.1

# Risk of a table, and of releases as the people in the source run it.
page risk-table risk health.csv --known birth_year,sex,height,weight,smoking,alcohol --up-to 3 --population 100000
page risk-release risk generalize --source salaries.csv --epsilon 1000
page risk-angel risk angel --source census.csv --epsilon 2 --up-to 2

# Advice for numbers and for values under a distance.
page advise-numbers advise payroll.csv --sensitive salary
page advise-answer advise payroll.csv --sensitive salary --epsilon 500 --m 5
page advise-dissimilarity advise census.csv --sensitive income,workclass --epsilon 0.1 --k 10 --distance "l1(income:range*0.7, workclass:equal*0.3)"

# What releases are good for.
page evaluate-generalize evaluate generalize --source salaries.csv --queries 200
page evaluate-proximity evaluate proximity --source census.csv --queries 200 --baseline perturbation --volume 0.05,0.1,0.3 \
    --w 2,3,4,5
page evaluate-permute evaluate permute --source salaries.csv --queries 100 --bounds avg --range-over birth_date --algorithms all
page evaluate-angel evaluate angel --source census.csv --queries 100 --reconstruct age,occupation --reconstruct gender,education
page evaluate-xcolor evaluate xcolor --source census.csv --queries 100 --vulnerability \
    --distance "l1(income:range*0.7, workclass:equal*0.3)" --distance "max(income:range, workclass:equal)"

# Methods and parameters beside each other, some of which nothing can meet.
comparison sweep census.csv --quasi age,gender,education --sensitive income --drop-rest --queries 100 \
    --require "k-anonymity({k})" --require "distinct-l-diversity({l})" --grid k=5,20,80 --grid l=3,3000 \
    --method generalize,full-domain,anatomy,permute,angel

# Experiments of papers.
head -n 1001 census.csv >few.csv
run generate occupation --rows 1000 --seed 1 --out jobs.csv
head -n 1001 health.csv >patients.csv
reproduction paper1 few.csv
reproduction paper2 few.csv
reproduction paper3 patients.csv
reproduction paper4 jobs.csv
reproduction paper5 few.csv --quasi age,workclass,education,marital,occupation,race,gender,birthplace --sensitive income
