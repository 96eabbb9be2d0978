"""Tests of lightloom.ShiftAgent: start times, real waiting, and rejected values."""

import signal
import threading
import time
import unittest

from lightloom import ShiftAgent

EPOCH = 1_700_000_000.0


def agent(shift):
    return ShiftAgent(epoch=EPOCH, shift=shift, period=0.1)


class TimePoints(unittest.TestCase):
    def test_the_first_communication_is_delayed_to_the_shift(self):
        self.assertAlmostEqual(agent(0.04).admit(EPOCH), EPOCH + 0.04, 6)
        self.assertAlmostEqual(agent(0.04).admit(EPOCH + 0.041), EPOCH + 0.14, 6)

    def test_a_job_that_keeps_its_period_is_not_delayed(self):
        it = agent(0.04)
        begin = it.admit(EPOCH)
        for _ in range(100):
            self.assertAlmostEqual(it.admit(begin + 0.1), begin + 0.1, 6)
            begin += 0.1
        self.assertEqual(it.realigned, 0)

    def test_a_job_that_drifted_is_delayed(self):
        it = agent(0)
        it.admit(EPOCH)
        self.assertAlmostEqual(it.admit(EPOCH + 0.104), EPOCH + 0.104, 6)
        self.assertAlmostEqual(it.admit(EPOCH + 0.206), EPOCH + 0.3, 6)
        self.assertEqual(it.realigned, 1)


class Waiting(unittest.TestCase):
    def test_it_sleeps_until_its_start_and_lets_other_threads_run(self):
        epoch = time.time() + 0.05
        it = ShiftAgent(epoch=epoch, shift=0.1, period=10)
        ran = []
        other = threading.Timer(0.02, lambda: ran.append(time.time()))
        other.start()
        it.wait()
        woke = time.time()
        other.join()
        self.assertGreaterEqual(woke, epoch + 0.1 - 1e-4)
        self.assertLess(ran[0], woke)


    def test_a_signal_ends_it(self):
        def refuse(number, frame):
            raise InterruptedError

        before = signal.signal(signal.SIGALRM, refuse)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        it = ShiftAgent(epoch=time.time() + 4, shift=0, period=10)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        began = time.monotonic()
        with self.assertRaises(InterruptedError):
            it.wait()
        self.assertLess(time.monotonic() - began, 2)


class Refusals(unittest.TestCase):
    def test_invalid_values_are_refused(self):
        for values, what in [
            ({"period": 0.0}, "period"),
            ({"period": float("nan")}, "period"),
            ({"period": 1.0, "tolerance": -0.1}, "tolerance"),
            ({"period": 1.0, "epoch": float("inf")}, "epoch"),
            ({"period": 1.0, "shift": 1e300}, "shift"),
        ]:
            with self.subTest(values), self.assertRaisesRegex(ValueError, what):
                ShiftAgent(**{"epoch": EPOCH, "shift": 0.0, **values})


if __name__ == "__main__":
    unittest.main()
