import ArgumentParser
import Foundation

/// The output format of a report.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case markdown, json

    /// Prints a report in this format.
    package func show(_ report: some Encodable, markdown: @autoclosure () -> String) throws {
        guard self == .json else { return print(markdown()) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}

/// Messages about the progress of a run. The standard output has only the report.
package enum StandardError {
    /// Prints a line.
    package static func say(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }
}
