import ArgumentParser

/// The output format of a report.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown, json
}
