import ArgumentParser

/// How the figures are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown, json
}
