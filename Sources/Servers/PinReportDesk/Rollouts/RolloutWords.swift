package import HoldfastTrust
package import PinReports

extension RolloutAssessment.Stage {
    /// The decision and its evidence as sentences; `nil` before the stage.
    package var words: String? {
        guard hasBegun else { return nil }
        let isHalt = decision != .continue
        let counts = RolloutWords.counts(
            cohort: (cohort.failures, cohort.clients), baseline: (baseline.failures, baseline.clients))
        return "\(isHalt ? "Stop" : "Continue"): \(counts) \(confidence)"
    }

    private var confidence: String {
        guard baseline.clients > 0 else {
            return "Without a baseline, the roll-out stops at \(RolloutWords.percent(RolloutWords.ceiling, 10_000))."
        }
        guard odds >= 2 else { return "There is no evidence against the version." }
        let odds = RolloutWords.grouped(Int(odds))
        return "A version without harm gets here with a probability of at most 1 in \(odds); "
            + "the roll-out stops at 1 in \(RolloutWords.grouped(RolloutWords.alarmOdds)), "
            + "from \(RolloutWords.minimumFailures) failed installations."
    }
}

extension RolloutAssessment {
    /// The decision of the newest stage, for a roll-out that goes on.
    package var words: String { stages.last { $0.hasBegun }?.words ?? "None: no stage has begun." }
}

/// Texts about roll-outs.
package enum RolloutWords {
    private static let settings = RolloutMonitor.Settings()
    /// The settings of the monitor as whole numbers.
    static let ceiling = Int((settings.ceiling * 10_000).rounded())
    static let alarmOdds = Int((1 / settings.falseAlarms).rounded())
    static let minimumFailures = settings.minimumFailures

    /// The length of a halt that a person or the collector signs, in seconds: seven days.
    package static let haltLifetime: Int64 = 7 * 86_400

    static func counts(cohort: (failures: Int, clients: Int), baseline: (failures: Int, clients: Int)) -> String {
        let own = "\(share(cohort.failures, cohort.clients)) failed with this version"
        guard baseline.clients > 0 else { return own + "." }
        return own + ", \(share(baseline.failures, baseline.clients)) with others."
    }

    private static func share(_ failures: Int, _ clients: Int) -> String {
        "\(grouped(failures)) of \(grouped(clients)) installations (\(percent(failures, clients)))"
    }

    /// Returns a share as a percentage with up to four decimals.
    static func percent(_ part: Int, _ whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0 %" }
        // Counts are below 2^40.
        let millionths = min(part, whole) * 1_000_000 / whole
        guard millionths > 0 else { return "less than 0.0001 %" }
        let (percent, rest) = millionths.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return "\(percent) %" }
        var digits = String(rest + 10_000).dropFirst()
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(percent).\(digits) %"
    }

    /// Returns a number with commas between groups of three digits.
    static func grouped(_ number: Int) -> String {
        var groups: [String] = []
        var rest = max(0, number)
        while rest >= 1_000 {
            groups.append(String(String(rest % 1_000 + 1_000).dropFirst()))
            rest /= 1_000
        }
        return ([String(rest)] + groups.reversed()).joined(separator: ",")
    }

    /// Returns the stored decision as a sentence.
    package static func sentence(_ stop: RolloutStop) -> String {
        let counts = counts(
            cohort: (stop.cohortFailures, stop.cohortClients), baseline: (stop.baselineFailures, stop.baselineClients))
        return "Stop, since \(stop.decidedAt): \(counts)"
    }

    /// Returns the command that signs a halt.
    ///
    /// - Parameter keyID: The id of the halt key, if the desk knows it.
    package static func haltCommand(_ plan: RolloutPlan, keyID: String? = nil, at now: Timestamp) -> String {
        let output = ShellWord.quoted(plan.name + ".halt") ?? "FILE.halt"
        let words = [
            "holdfast bundle halt --key halt.pem --key-id \(keyID.flatMap(ShellWord.quoted) ?? "KEY-ID")",
            "--application \(ShellWord.quoted(plan.id.application) ?? "APPLICATION")", "--version \(plan.id.version)",
            "--not-after \(now.advanced(bySeconds: haltLifetime).description.prefix(10))", "--output \(output)",
        ]
        return words.joined(separator: " ")
    }
}
