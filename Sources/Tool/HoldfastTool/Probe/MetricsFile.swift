import HoldfastSystem

/// A file of metrics that a collector may read at any time: it sees the old file or the new one, never a part.
///
/// Written next to its destination under a name that does not end in `.prom`, with mode 0644 because the collector may
/// be another user, then flushed and renamed. A symbolic link at the destination is replaced, not followed.
struct MetricsFile {
    /// The path as given.
    var path: String

    /// Replaces the file. Throws one sentence with the system's reason.
    func replace(with text: String) throws(ToolError) {
        // The temporary name contains the process id. A file that an earlier process with this id left is removed.
        do throws(DurableFile.Failure) {
            try DurableFile.replace(
                path, temporary: "\(path).\(getpid()).new", mode: 0o644, flushesFolder: false,
                with: Array(text.utf8))
        } catch {
            throw ToolError("cannot write '\(path)': \(error.error)")
        }
    }
}

/// Writes Prometheus' text format, version 0.0.4, for a textfile collector or a scraper.
struct PrometheusText {
    /// The type of a metric.
    enum Kind: String {
        case gauge
        case counter
    }

    /// The value of a sample.
    enum Value: Hashable {
        case integer(Int64)
        case real(Double)

        static func flag(_ isTrue: Bool) -> Value { .integer(isTrue ? 1 : 0) }

        fileprivate var text: String {
            switch self {
            case .integer(let number): String(number)
            case .real(let number) where number.isNaN: "NaN"
            case .real(let number) where number.isInfinite: number < 0 ? "-Inf" : "+Inf"
            case .real(let number): String(number)
            }
        }
    }

    /// The text so far.
    private(set) var text = ""

    /// Writes a metric with its samples; nothing without samples. Names are constants of the caller. The rest is
    /// escaped.
    mutating func write(
        _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [(String, String)], value: Value)]
    ) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(Self.escapedHelp(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value.text)\n"
        }
    }

    /// Escapes a label's value: backslash, quotation mark and line feed.
    static func escaped(_ value: String) -> String {
        escape(value, marks: true)
    }

    /// Escapes the text after `# HELP`: backslash and line feed.
    static func escapedHelp(_ value: String) -> String {
        escape(value, marks: false)
    }

    private static func escape(_ value: String, marks: Bool) -> String {
        // Iterates over scalars: "\r\n" is one character, whose line feed must be escaped.
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\"" where marks: result.append(contentsOf: "\\\"".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
