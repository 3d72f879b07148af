package import ArgumentParser
import Foundation
package import HoldfastTrust

/// The command line of `holdfast-lint`.
package struct LintOptions: ParsableArguments {
    /// The environment variable with the time of the check. A build system passes variables, but no options.
    package static let timeVariable = "HOLDFAST_LINT_AT"
    /// The text of the file that `--stamp` names. It is always the same, so that nothing is compiled again.
    package static let stampText = "// The last check by holdfast-lint passed.\n"

    @Argument(
        help: ArgumentHelp(
            "Policy files, configurations, certificates, folders of certificates (default: those of the package).",
            valueName: "file"))
    package var files: [String] = []

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp("The package to check, with its holdfast-lint.json (default: .).", valueName: "folder"))
    package var packageFolder: String?

    @Option(help: ArgumentHelp("Check only a folder of the package; repeatable.", valueName: "folder"))
    package var folder: [String] = []

    @OptionGroup package var severity: LintSeverity

    @Option(
        help: ArgumentHelp(
            "The time of the check, as in 2027-01-31T00:00:00Z (default: HOLDFAST_LINT_AT, or now).",
            valueName: "time"))
    package var at: String?

    @Option(help: "The output format.")
    package var format: LintFormat = .text

    @Option(help: ArgumentHelp("Write a Swift comment to a file if the check passes.", valueName: "file"))
    package var stamp: String?

    package init() {}

    package func validate() throws {
        guard files.isEmpty || packageFolder == nil && folder.isEmpty else {
            throw ValidationError("files cannot be combined with --package or --folder")
        }
        if let at, Timestamp(iso8601: at) == nil { throw ValidationError("--at: \(Self.advice(on: at))") }
    }

    private static func advice(on time: String) -> String {
        "'\(time)' is not a valid time, expected one such as 2027-01-31T00:00:00Z or 2027-01-31"
    }
}

extension LintOptions {
    /// What to print, and whether the check passed.
    package struct Answer: Hashable, Sendable {
        /// The result: lines without the last line break; `nil` if there are no lines.
        package let text: String?
        /// Lines for the user in addition to the result.
        package let note: String?
        /// Whether there is no finding that fails the check.
        package let passes: Bool
    }

    /// Checks the files or the package, and writes the stamp if the check passes.
    ///
    /// Throws ``LintFailure`` if something cannot be checked or the stamp cannot be written. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - now: The current time, which is used if neither an option nor a variable names one.
    package func answer(environment: [String: String], now: Timestamp) throws(LintFailure) -> Answer {
        let chosen = try time(environment)
        let times = LintTimes(time: chosen ?? now, days: severity.withinDays)
        // Without this line, a variable from an earlier trial could hide that a pin has expired.
        let moment = at == nil ? chosen.map { "checked as of \($0), the time of \(Self.timeVariable)" } : nil
        let report: LintReport
        let count: Int
        if files.isEmpty {
            let linter = PackageLinter(
                folder: packageFolder ?? ".", scope: folder, times: times, strict: severity.strict)
            let outcome = try linter.outcome()
            (report, count) = (outcome.report, outcome.checked.count)
        } else {
            report = try checkFiles(times)
            count = files.count
        }
        // A stamp for an earlier time would keep that result in later builds.
        if report.isClean, let stamp, (chosen ?? now) >= now { try write(Self.stampText, to: stamp) }
        let printed = report.printed(as: format, places: count)
        let notes = [moment, printed.note].compactMap(\.self)
        return Answer(
            text: printed.text, note: notes.isEmpty ? nil : notes.joined(separator: "\n"), passes: report.isClean)
    }

    private func time(_ environment: [String: String]) throws(LintFailure) -> Timestamp? {
        if let at { return Timestamp(iso8601: at) }
        guard let text = environment[Self.timeVariable], !text.isEmpty else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw LintFailure("\(Self.timeVariable): \(Self.advice(on: text))")
        }
        return time
    }

    private func checkFiles(_ times: LintTimes) throws(LintFailure) -> LintReport {
        var report = LintReport(isStrict: severity.strict)
        var linter = FileLinter(times: times, roots: FileLinter.systemRoots())
        do {
            for file in files {
                try linter.check(file, &report) { try LintInput.read($0, limit: $1) }
            }
        } catch let error as LintFailure {
            throw error
        } catch {
            throw LintFailure("\(error)")
        }
        return report
    }

    private func write(_ text: String, to path: String) throws(LintFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw LintFailure("cannot write '\(path)'")
        }
    }
}
