import HoldfastBase
import HTTPTypes

/// A header field on the command line: `Name: value`, or `@FILE` for a file of fields, one per line.
///
/// A value may be a credential. Errors do not contain it, and one in a file does not appear in the list of processes.
enum HeaderArgument {
    /// The maximum size of a file in bytes.
    ///
    /// - Error: exit code 2
    private static let fileLimit = 64 * 1024

    /// Returns the fields of an argument. Throws one sentence.
    static func fields(_ argument: String) throws(ToolError) -> [HTTPField] {
        guard argument.first == "@" else { return [try field(argument, place: "--header", status: .usage)] }
        let path = String(argument.dropFirst())
        let bytes = try InputFile(path: path).readAll(limit: fileLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("'\(Printable.text(path))' is not valid UTF-8")
        }
        var fields: [HTTPField] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.allSatisfy(\.isWhitespace) && line.first != "#" {
            fields.append(
                try field(String(line), place: "\(Printable.text(path)):\(index + 1)", status: .unusableInput))
        }
        return fields
    }

    private static func field(
        _ text: String, place: String, status: ToolStatus
    ) throws(ToolError) -> HTTPField {
        guard let colon = text.firstIndex(of: ":") else {
            throw ToolError("\(place): a header field must have the form 'Name: value'", status: status)
        }
        guard let name = HTTPField.Name(String(text[..<colon])) else {
            throw ToolError("\(place): the text before the colon is not a valid header field name", status: status)
        }
        // RFC 9112, section 5.1: white space around a value is not part of it.
        let value = text[text.index(after: colon)...].trimming { $0 == " " || $0 == "\t" }
        guard HTTPField.isValidValue(String(value)) else {
            throw ToolError("\(place): the value of \(name) contains an invalid character", status: status)
        }
        return HTTPField(name: name, value: String(value))
    }
}
