import ArgumentParser

/// How results are written.
enum ProbeFormat: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// For a person.
    case text
    /// One JSON object; with `--watch` one a line and round.
    case json
    /// Prometheus' text format, version 0.0.4.
    case prometheus
}
