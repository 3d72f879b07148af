import ChatPage
import ChatWire

/// A page that applies frames as the protocol describes it.
struct ModelPage {
    /// A frame that the page cannot apply.
    struct Mistake: Error {
        var description: String
    }

    /// The number of the last change that the page has seen; `nil` before the first frame.
    private(set) var number: UInt64?
    /// The fields of the state, without the rows.
    private(set) var fields: [String: JSONValue] = [:]
    /// The rows, oldest first.
    private(set) var rows: [JSONObject] = []
    /// The texts, the theme and the language.
    private(set) var appearance: [String: JSONValue] = [:]
    /// The number of rows that frames with changes contained.
    private(set) var rowsReceived = 0

    mutating func apply(_ frame: PageFrame) throws {
        guard let object = try JSONValue(parsing: frame.bytes).objectValue, object["v"]?.integerValue == 1,
            let number = object["n"]?.integerValue.map({ UInt64($0) }), number == frame.number
        else { throw Mistake(description: "no head: \(frame.text)") }
        switch object["kind"]?.stringValue {
        case "state":
            fields = [:]
            rows = []
            guard let state = object["state"]?.objectValue else { throw Mistake(description: "no state") }
            for key in state.keys where key != "rows" { fields[key] = state[key] }
            rows = (state["rows"]?.arrayValue ?? []).compactMap(\.objectValue)
            for key in ["texts", "theme", "language", "rtl"] { appearance[key] = object[key] }
        case "change":
            guard number == self.number.map({ $0 + 1 }) else {
                throw Mistake(description: "a hole between \(self.number ?? 0) and \(number)")
            }
            try change(object)
        default:
            guard number == self.number else { throw Mistake(description: "a hole before \(number)") }
        }
        self.number = number
    }

    private mutating func change(_ object: JSONObject) throws {
        guard let set = object["set"]?.objectValue else { throw Mistake(description: "no set") }
        for key in set.keys { fields[key] = set[key] == .null ? nil : set[key] }
        for id in object["remove"]?.arrayValue ?? [] {
            guard let index = rows.firstIndex(where: { $0["id"] == id }) else {
                throw Mistake(description: "\(id) is removed twice")
            }
            rows.remove(at: index)
        }
        for put in object["put"]?.arrayValue ?? [] {
            guard let put = put.objectValue, let row = put["row"]?.objectValue, let after = put["after"] else {
                throw Mistake(description: "no row")
            }
            rowsReceived += 1
            rows.removeAll { $0["id"] == row["id"] }
            if after == .null {
                rows.insert(row, at: 0)
            } else if let index = rows.firstIndex(where: { $0["id"] == after }) {
                rows.insert(row, at: index + 1)
            } else {
                throw Mistake(description: "the row before \(row) is missing")
            }
        }
    }

    /// Whether the page shows the same as another page.
    func shows(_ other: ModelPage) -> Bool {
        fields == other.fields && rows == other.rows && appearance == other.appearance
    }
}
