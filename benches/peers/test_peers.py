"""What the comparison rests on: how cells are read and how loss is counted. Run by run.sh before anything is measured."""

import csv
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import notation
import report
from ground import QUASI, SENSITIVE
from ncp import ncp
from notation import Domain
from released import Released, text

AGES = Domain({"17", "20", "26"}, [[str(age), "15-19" if age <= 20 else "20-29", "*"] for age in range(16, 30)])
CITIES = Domain({"a", "b", "c-d"}, [["a", "left", "*"], ["b", "left", "*"], ["c-d", "right", "*"], ["e", "right", "*"]])


class Cells(unittest.TestCase):
    def test_every_notation_of_an_interval(self):
        years = {"18", "19", "20"}
        self.assertEqual(notation.scumble("[18,20]", AGES, False), years)
        self.assertEqual(notation.listed("18-20", AGES, False), years)
        self.assertEqual(notation.listed("['18-20']", AGES, False), years)
        self.assertEqual(notation.listed("18,20", AGES, False), {"18", "20"})

    def test_every_notation_of_a_set(self):
        for cell in ["a,c-d", "['a,c-d']", "['c-d,a']"]:
            self.assertEqual(notation.listed(cell, CITIES, False), {"a", "c-d"})
        self.assertEqual(notation.scumble("{a|c-d}", CITIES, False), {"a", "c-d"})
        self.assertEqual(notation.listed("c-d", CITIES, False), {"c-d"})

    def test_a_label_covers_what_lies_below_it(self):
        # The file says so, whatever the label seems to say; values outside the domain do not count.
        self.assertEqual(notation.single("15-19", AGES, True), {"17", "18", "19", "20"})
        self.assertEqual(notation.single("right", CITIES, True), {"c-d"})
        self.assertEqual(notation.single("*", CITIES, True), {"a", "b", "c-d"})

    def test_what_cannot_be_read_is_refused(self):
        for read, cell, domain in [
            (notation.single, "right", CITIES),
            (notation.scumble, "[30,40]", AGES),
            (notation.scumble, "{a|z}", CITIES),
            (notation.listed, "a,z", CITIES),
            (notation.listed, "", AGES),
        ]:
            with self.assertRaises(ValueError):
                read(cell, domain, False)

    def test_a_set_is_written_one_way(self):
        self.assertEqual(text({"c-d", "a"}, CITIES), "a|c-d")
        self.assertEqual(text(CITIES.values, CITIES), "*")


class Loss(unittest.TestCase):
    def test_from_a_single_value_to_the_whole_domain(self):
        domains = {"age": AGES, "city": CITIES}
        exact, all_of_it = [{"17"}, {"a"}], [AGES.values, CITIES.values]
        self.assertEqual(ncp([exact], ["age", "city"], domains, 1), 0)
        self.assertEqual(ncp([all_of_it], ["age", "city"], domains, 1), 1)
        # Ten years from 17 to 26; three of them, and two of three cities.
        self.assertAlmostEqual(ncp([[{"18", "19", "20"}, {"a", "b"}]], ["age", "city"], domains, 1), (2 / 9 + 1 / 2) / 2)

    def test_a_row_that_is_left_out_has_lost_everything(self):
        self.assertEqual(ncp([[{"a"}]], ["city"], {"city": CITIES}, 4), 3 / 4)


class Tables(unittest.TestCase):
    def read(self, rows, header, source):
        domains = {name: CITIES for name in QUASI}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            with open(path, "w", newline="") as file:
                csv.writer(file).writerows([header, *rows])
            return Released(path, SimpleNamespace(read=notation.listed, uses_hierarchies=False), domains, source)

    def test_counted_lines_are_people_and_sets_have_no_order(self):
        header = ["index", *QUASI, SENSITIVE, "count"]
        rows = [[0, *["a,b"] * 7, "x", 2], [1, *["b,a"] * 7, "y", 1]]
        source = [[*["a"] * 7, value] for value in "xxyy"]
        released = self.read(rows, header, source)
        self.assertEqual((len(released.rows), released.groups, released.suppressed), (3, 1, 1))
        self.assertEqual(released.extra, ["index"])

    def test_invented_people_are_found(self):
        with self.assertRaises(ValueError):
            self.read([[*["a"] * 7, "x", 2]], [*QUASI, SENSITIVE, "count"], [[*["a"] * 7, "x"], [*["a"] * 7, "y"]])


class Readme(unittest.TestCase):
    def test_only_what_is_between_the_markers_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            path, run = Path(folder) / "README.md", Path(folder) / "2026-01-01-peers.md"
            path.write_text(f"before\n{report.BEGIN}\na former run\n{report.END}\nafter\n")
            run.write_text(f"# 2026-01-01, peers\n\n- 2 cores\n- scumble 1\n\n{report.HEAD}\n|---|\n| a row |\n\n- a remark\n")
            report.into_readme(path, run)
            words = path.read_text()
            self.assertTrue(words.startswith("before\n") and words.endswith(f"{report.END}\nafter\n"))
            self.assertIn("2026-01-01; 2 cores; scumble 1. ", words)
            self.assertIn("<!-- from benches/runs/2026-01-01-peers.md -->\n| asked", words)
            self.assertIn("| a row |\n", words)
            self.assertNotIn("a former run", words)
            self.assertNotIn("a remark", words)

    def test_what_has_no_place_for_a_table_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path, run = Path(folder) / "README.md", Path(folder) / "run.md"
            path.write_text("no markers")
            run.write_text("no table")
            with self.assertRaises(SystemExit):
                report.into_readme(path, run)
            path.write_text(f"{report.BEGIN}{report.END}")
            with self.assertRaises(SystemExit):
                report.into_readme(path, run)


unittest.main()
