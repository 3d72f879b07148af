import HoldfastBase
import HTTPTypes
import HoldfastTrust

/// A header field from the command line: `Name: value`, or `@FILE` for a file of fields, one a line.
///
/// A value may be a credential. Nothing of it is in an error, and one in a file is in no list of processes either.
enum HeaderArgument {
    /// The most bytes of a file.
    private static let fileLimit = 64 * 1024

    /// The fields that an argument stands for. Throws one sentence.
    static func fields(_ argument: String) throws(ToolError) -> [HTTPField] {
        guard argument.first == "@" else { return [try field(argument, place: "--header", status: .usage)] }
        let path = String(argument.dropFirst())
        let bytes = try InputFile(path: path).readAll(limit: fileLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("'\(Printable.text(path))' is no UTF-8")
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
            throw ToolError("\(place): a header field is 'Name: value'", status: status)
        }
        guard let name = HTTPField.Name(String(text[..<colon])) else {
            throw ToolError("\(place): what stands before the colon is no name of a header field", status: status)
        }
        // RFC 9112, 5.1: blanks around a value are not part of it.
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var value = text[text.index(after: colon)...].drop(while: isBlank)
        while value.last.map(isBlank) == true { value.removeLast() }
        guard HTTPField.isValidValue(String(value)) else {
            throw ToolError("\(place): the value of \(name) holds a character that no value has", status: status)
        }
        return HTTPField(name: name, value: String(value))
    }
}
