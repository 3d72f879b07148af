package import ArgumentParser

/// The options of `holdfast lint` and `holdfast-lint` that decide what fails.
package struct LintSeverity: ParsableArguments {
    @Option(help: "Report pins and certificates that end within this number of days (default: 30).")
    package var withinDays: Int?

    @Flag(help: "Also fail for notes: exit with 1 unless there are no findings.")
    package var strict = false

    package init() {}

    package func validate() throws {
        guard withinDays.map(LintTimes.isUsable(days:)) ?? true else {
            throw ValidationError("--within-days must be a number from 0 to \(LintTimes.maximumDays)")
        }
    }
}
