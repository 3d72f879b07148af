/// How the waits between attempts are spread, so that clients that failed together do not come back together.
///
/// The formulas are those that Marc Brooker gave these names in "Exponential Backoff and Jitter" (AWS Architecture Blog,
/// 2015). There, `cap` is the longest wait, `base` the first one, and `n` counts the attempts that failed, from zero.
public enum JitterStrategy: Hashable, Sendable, CaseIterable {
    /// `random(0, min(cap, base · 2ⁿ))`: the widest spread.
    case full
    /// `t / 2 + random(0, t / 2)` with `t = min(cap, base · 2ⁿ)`: never less than half.
    case equal
    /// `min(cap, random(base, 3 · the wait before))`: each wait follows from the last.
    case decorrelated
}
