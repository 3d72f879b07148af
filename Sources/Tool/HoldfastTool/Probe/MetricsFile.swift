import HoldfastSystem

/// A file of metrics that a collector reads at any time: there is the old one or the new one, never a part.
///
/// Written beside its place under a name that ends in no `.prom`, with mode 0644 since the collector is somebody else, flushed
/// and renamed. A symbolic link in its place is replaced, not followed.
struct MetricsFile {
    /// The path as it was given.
    var path: String

    /// Replaces the file. Throws one sentence with the system's reason.
    func replace(with text: String) throws(ToolError) {
        // Another process has another number. What an earlier process of this number left is removed.
        do throws(DurableFile.Failure) {
            try DurableFile.replace(
                path, temporary: "\(path).\(getpid()).new", mode: 0o644, flushesFolder: false,
                with: Array(text.utf8))
        } catch {
            throw ToolError("cannot write '\(path)': \(error.error)")
        }
    }
}

/// Writes Prometheus' text format, version 0.0.4: what a textfile collector and a scraper read.
struct PrometheusText {
    /// What a metric is.
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

    /// Writes a metric with its samples; nothing if there are none. Names are the caller's constants, the rest is escaped.
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

    /// The value of a label: backslash, quotation mark and line feed have an escape, and nothing else needs one.
    static func escaped(_ value: String) -> String {
        escape(value, marks: true)
    }

    /// The text behind `# HELP`: backslash and line feed.
    static func escapedHelp(_ value: String) -> String {
        escape(value, marks: false)
    }

    private static func escape(_ value: String, marks: Bool) -> String {
        // By scalar: "\r\n" is one character, and the line feed in it must not get through.
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
