/// Decides whether a roll-out must stop, from the failures of its cohort and of all other installations. A value type
/// that does not access files or clocks.
///
/// The test is sequential: it may be evaluated after every report without more false alarms. For each installation that
/// fails for the first time, it asks to which group the installation belongs. If the cohort fails at most
/// ``Settings/toleratedRatio`` times as often as the baseline, an installation that fails is in the cohort with a
/// probability of at most `q0 = r0 · n / (r0 · n + m)`, for `n` installations in the cohort and `m` in the baseline. If
/// the cohort fails ``Settings/harmfulRatio`` times as often, the probability is `q1`, with `r1` in place of `r0`. The
/// test multiplies the likelihood ratios `q1 / q0` (cohort) and `(1 - q1) / (1 - q0)` (baseline).
///
/// Error bounds:
/// - False alarms: as long as the cohort is not worse than tolerated, the product is a non-negative supermartingale
///   that begins at 1. It reaches `1 / falseAlarms` with a probability of at most `falseAlarms`, over the whole
///   roll-out and whenever it is evaluated (Ville's inequality). The number of installations may change between the
///   windows.
/// - Detection: with the defaults and a cohort of 1 %, a bundle that makes nearly all failures is stopped after 14
///   installations. A bundle that fails exactly three times as often needs about 1,700 failed installations in total.
///
/// The bounds assume that installations fail independently. A network that intercepts many installations at once breaks
/// this assumption. ``Settings/minimumFailures`` and the tolerated ratio reduce the effect. Reports are not
/// authenticated, so forged reports can also cause a halt, or hide failures in a larger baseline.
///
/// Use a new monitor for each stage: the product of a long good stage would delay the detection in the next one. The
/// bounds of the stages add up.
package struct RolloutMonitor: Hashable, Sendable {
    /// The parameters of the test.
    package struct Settings: Hashable, Sendable {
        /// The probability of a false alarm for the whole life of a monitor. 1 in 10,000 by default.
        package var falseAlarms = 0.000_1
        /// How much more often the cohort may fail than the baseline. 1.5 by default: new versions are first used by
        /// more active people, whose installations also report more.
        package var toleratedRatio = 1.5
        /// The ratio of failures that the test is made for. Three by default. Higher ratios are detected faster.
        package var harmfulRatio = 3.0
        /// The number of failed installations in the cohort below which a roll-out never stops.
        package var minimumFailures = 10
        /// The share of failed installations that stops a roll-out without a baseline, as in a stage for everybody.
        package var ceiling = 0.05

        /// Creates the default settings.
        package init() {}
    }

    /// The installations of one group in one window of time.
    package struct Group: Hashable, Sendable {
        /// The number of installations.
        package var clients: Int
        /// The number of installations that failed for the first time since the monitor was created.
        package var failures: Int

        /// Creates a group. Counts outside of the possible range are limited to it.
        package init(clients: Int, failures: Int) {
            self.clients = min(max(clients, 0), 1 << 40)
            self.failures = min(max(failures, 0), self.clients)
        }
    }

    /// The decision after a window.
    package enum Decision: Hashable, Sendable {
        /// The roll-out goes on.
        case `continue`
        /// The roll-out must stop. Later windows do not change this decision.
        case halt(Reason)
    }

    /// The counts that stopped a roll-out.
    package struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The failed installations of the cohort.
        package var cohortFailures: Int
        /// The installations of the cohort in the last window.
        package var cohortClients: Int
        /// The failed installations of the baseline.
        package var baselineFailures: Int
        /// The installations of the baseline in the last window.
        package var baselineClients: Int

        /// The counts as a sentence.
        package var description: String {
            let baseline =
                baselineClients == 0
                ? "there is no baseline" : "\(baselineFailures) of \(baselineClients) failed with other versions"
            return "\(cohortFailures) of \(cohortClients) installations failed with the new version; \(baseline)."
        }
    }

    private let settings: Settings
    /// The logarithm of the product of the likelihood ratios.
    private var evidence = 0.0
    private var cohortFailures = 0
    private var baselineFailures = 0
    private var stopped: Reason?

    /// Creates a monitor for one stage of a roll-out. Unusable settings are replaced by the defaults.
    package init(_ settings: Settings = Settings()) {
        let isUsable =
            settings.falseAlarms > 0 && settings.falseAlarms < 1 && settings.toleratedRatio >= 1
            && settings.harmfulRatio > settings.toleratedRatio && settings.harmfulRatio <= 1_000_000
            && settings.ceiling > 0
        self.settings = isUsable ? settings : Settings()
    }

    /// The odds against a cohort that is at most ``Settings/toleratedRatio`` times worse than the baseline: such a
    /// cohort ever reaches `n` with a probability of at most `1 / n`. The roll-out stops at `1 / falseAlarms`. Below 1
    /// if the failures speak for the cohort. At most 10^15.
    package var odds: Double { Self.exponential(min(evidence, Self.logarithm(1e15))) }

    /// Adds a window of time. The windows must not overlap.
    package mutating func observe(cohort: Group, baseline: Group) -> Decision {
        if let stopped { return .halt(stopped) }
        // Counts beyond any fleet are limited, so that sums cannot overflow.
        cohortFailures = min(cohortFailures + cohort.failures, 1 << 50)
        baselineFailures = min(baselineFailures + baseline.failures, 1 << 50)
        evidence += evidence(of: cohort, baseline)
        guard cohortFailures >= max(settings.minimumFailures, 1), isHarmful(cohort, baseline) else { return .continue }
        let reason = Reason(
            cohortFailures: cohortFailures, cohortClients: cohort.clients, baselineFailures: baselineFailures,
            baselineClients: baseline.clients)
        stopped = reason
        return .halt(reason)
    }

    private func isHarmful(_ cohort: Group, _ baseline: Group) -> Bool {
        if evidence >= Self.logarithm(1 / settings.falseAlarms) { return true }
        return baseline.clients == 0 && Double(cohortFailures) >= settings.ceiling * Double(cohort.clients)
    }

    /// Returns the logarithm of the likelihood ratio of one window. Without one of the groups, it has no information.
    private func evidence(of cohort: Group, _ baseline: Group) -> Double {
        guard cohort.clients > 0, baseline.clients > 0 else { return 0 }
        let (clients, others) = (Double(cohort.clients), Double(baseline.clients))
        // (1 - q1) / (1 - q0), and q1 / q0.
        let outside = (settings.toleratedRatio * clients + others) / (settings.harmfulRatio * clients + others)
        let inside = settings.harmfulRatio / settings.toleratedRatio * outside
        var sum = 0.0
        if cohort.failures > 0 { sum += Double(cohort.failures) * Self.logarithm(inside) }
        if baseline.failures > 0 { sum += Double(baseline.failures) * Self.logarithm(outside) }
        return sum
    }

    /// Returns the exponential function of a number of at most 700, and 0 below -700. The same on every platform: the
    /// series, after a reduction to the range around 0.
    static func exponential(_ value: Double) -> Double {
        guard value >= -700 else { return 0 }
        let exponent = (min(value, 700) / logarithm(2)).rounded()
        let rest = min(value, 700) - exponent * logarithm(2)
        var (term, sum) = (1.0, 1.0)
        for divisor in stride(from: 1.0, through: 20, by: 1) {
            term *= rest / divisor
            sum += term
        }
        return Double(sign: .plus, exponent: Int(exponent), significand: sum)
    }

    /// Returns the natural logarithm of a positive number. The same on every platform: the series for the inverse
    /// hyperbolic tangent, after a reduction to the range around 1.
    static func logarithm(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return value > 0 ? .infinity : -.infinity }
        var (exponent, mantissa) = (Double(value.exponent), value.significand)
        if mantissa > 1.414_213_562_373_095_1 {
            mantissa /= 2
            exponent += 1
        }
        let root = (mantissa - 1) / (mantissa + 1)
        let square = root * root
        var (term, sum) = (root, 0.0)
        for divisor in stride(from: 1.0, through: 23, by: 2) {
            sum += term / divisor
            term *= square
        }
        return 2 * sum + exponent * 0.693_147_180_559_945_3
    }
}
