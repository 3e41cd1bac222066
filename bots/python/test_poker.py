"""Run with `python3 -m unittest`."""

import contextlib
import io
import unittest

import poker
import strategy
from poker import DECK, decode, encode, parse_question

BET1 = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C"
BET2 = "bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:10S"


def cards(text):
    return [DECK[name] for name in text.split()]


class QuestionTest(unittest.TestCase):
    def test_first_street(self):
        question = parse_question(BET1)
        self.assertEqual((question.street, question.stack, question.pot, question.to_call), (1, 208, 24, 12))
        self.assertEqual((question.hole, question.up), (DECK["KS"], cards("10D")))
        self.assertEqual(question.others, [cards("AS"), cards("8H"), cards("QD"), cards("2C")])

    def test_second_street(self):
        question = parse_question(BET2)
        self.assertEqual((question.street, question.up), (2, cards("10D 10S")))
        self.assertEqual(question.others, [cards("AS AD"), cards("8H 6D")])

    def test_odd_lists_are_read_as_far_as_they_go(self):
        self.assertEqual(parse_question("bet1:5:5:0:2C:3C:up:3C:XX:").others, [])
        self.assertEqual(parse_question("bet2:5:5:0:2C:3C:4C:up:3C:4C:5D:AQ:9H").others, [cards("5D"), cards("9H")])

    def test_what_cannot_be_read(self):
        for text in ("bet1", "bet1:1:2:3:KS:up", "bet1:x:2:3:KS:2C:up", "bet1:1:2:-3:KS:2C:up", "bet1:1:2:3:KS:1C:up"):
            with self.subTest(text), self.assertRaises(ValueError):
                parse_question(text)


class ReplyTest(unittest.TestCase):
    def test_raises_stay_within_the_rules_and_the_stack(self):
        question = parse_question(BET1)
        self.assertEqual(question.raise_by(4), "bet:16")
        self.assertEqual(question.raise_by(11), "bet:22")
        self.assertEqual(question.raise_by(-1), "bet:12")
        self.assertEqual(parse_question("bet1:15:24:12:KS:10D:up:10D").raise_by(10), "bet:15")

    def test_a_call_that_cannot_be_paid_is_a_fold(self):
        self.assertEqual(parse_question("bet1:11:24:12:KS:10D:up:10D").call(), "fold")
        self.assertEqual(parse_question("bet1:0:24:0:KS:10D:up:10D").raise_by(10), "bet:0")

    def test_a_failing_strategy_folds(self):
        class Broken:
            def decide(self, question):
                return "bet:10"

        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(poker.answer(Broken(), BET1), "fold")
        self.assertIn("decide must return", errors.getvalue())


class TextTest(unittest.TestCase):
    def test_modified_utf8(self):
        for text, data in (
            ("10S", "31 30 53"),
            ("\0", "c0 80"),
            ("\u00e9\u20ac", "c3 a9 e2 82 ac"),
            ("\U0001f600", "ed a0 bd ed b8 80"),
            ("\ud800", "ed a0 80"),
        ):
            with self.subTest(data):
                self.assertEqual(encode(text).hex(" "), data)
                self.assertEqual(decode(bytes.fromhex(data)), text)

    def test_a_frame_holds_65535_bytes(self):
        self.assertEqual(len(encode("x" * 65535)), 65535)
        with self.assertRaises(ValueError):
            encode("x" * 65536)


class StrategyTest(unittest.TestCase):
    def test_order_of_hands(self):
        hands = ["2H 3D 5C", "2S AD KC", "2H 2D 3C", "2H 2D AC", "AH AD 2C", "2H 2D 2C", "AH AD AC"]
        values = [strategy.hand_value(cards(hand)) for hand in hands]
        self.assertEqual(values, sorted(values))
        self.assertEqual(len(values), len({str(value) for value in values}))

    def test_certain_winner_takes_everything(self):
        question = parse_question("bet2:100:20:0:AS:AH:AD:up:AH:AD:KH:QD")
        self.assertEqual(strategy.expected_share(question), 1.0)

    def test_folds_what_cannot_win_and_raises_what_cannot_lose(self):
        player = strategy.Strategy()
        self.assertEqual(player.decide(parse_question("bet2:100:20:10:2H:3C:5D:up:3C:5D:AH:AD")), "fold")
        self.assertEqual(player.decide(parse_question("bet2:100:20:10:AS:AH:AD:up:AH:AD:KH:QD")), "bet:20")


if __name__ == "__main__":
    unittest.main()
