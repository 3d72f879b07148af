import ArgumentParser

/// How the figures are printed.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown, json
}
