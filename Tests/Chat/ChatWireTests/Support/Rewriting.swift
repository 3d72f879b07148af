import ChatWire

/// Reads a text as the matching type and writes it again.
enum Rewriting {
    static func answer(_ bytes: [UInt8], to call: String) throws -> [UInt8] {
        switch call {
        case "configuration": try ConfigurationAnswer(parsing: bytes).bytes
        case "history": try HistoryAnswer(parsing: bytes).bytes
        case "unread": try UnreadAnswer(parsing: bytes).bytes
        case "search": try SearchAnswer(parsing: bytes).bytes
        case "upload": try UploadAnswer(parsing: bytes).bytes
        default: ErrorAnswer(parsing: bytes)?.bytes ?? []
        }
    }

    /// All texts of the fixtures, with the way to read and write them.
    static var all: [(text: String, rewrite: ([UInt8]) throws -> [UInt8])] {
        var all: [(text: String, rewrite: ([UInt8]) throws -> [UInt8])] = []
        for text in Fixtures.contents { all.append((text, { Content(try JSONValue(parsing: $0)).json.bytes })) }
        for text in Fixtures.clientFrames { all.append((text, { try ClientFrame(parsing: $0).bytes })) }
        for text in Fixtures.serverFrames { all.append((text, { try ServerFrame(parsing: $0).bytes })) }
        for (call, text) in Fixtures.answers where call != "failure" {
            all.append((text, { try answer($0, to: call) }))
        }
        return all
    }
}
