import HoldfastBase

/// A frame of a page: its head, and the fields of its intent.
struct PageIntentFrame {
    /// The version that this module reads.
    static let version = "1"
    /// The largest number of values in a frame.
    ///
    /// - Error: `PageProtocolError.Code.tooLarge`
    static let maximumCount = 256

    /// The name of the session.
    var session: String
    /// The id of the page.
    var client: String
    /// The number of the intent.
    var number: UInt64
    /// The name of the intent.
    var intent: String
    /// All fields of the frame.
    var fields: PageFields

    /// Reads a frame. Unknown fields are ignored.
    init(_ bytes: [UInt8], _ limits: PageProtocolLimits) throws(PageProtocolError) {
        fields = try PageFields(bytes, limits)
        guard case .number(PageIntentFrame.version) = try fields.required("v") else {
            throw PageProtocolError(
                .unknownVersion, field: "v",
                reason: "The version of the frame is not supported; expected \(PageIntentFrame.version).")
        }
        session = try fields.text("session")
        client = try fields.text("client")
        guard PageIntentFrame.isClient(client) else {
            throw .invalid("client", "8 to 64 letters, digits, \"-\" or \"_\"")
        }
        let largest = UInt64(PageWriter.largestExact)
        guard case .number(let digits) = try fields.required("to"), let number = UInt64(digits),
            (1...largest).contains(number)
        else { throw .invalid("to", "a whole number from 1 to \(largest)") }
        self.number = number
        intent = try fields.text("intent")
    }

    /// Returns whether a text can be the id of a page.
    static func isClient(_ text: String) -> Bool {
        (8...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}

/// The members of a JSON object, or the fields of an HTML form.
struct PageFields: Hashable, Sendable {
    /// The value of a field.
    enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        /// A number as written in the frame.
        case number(String)
        case text(String)
        /// An array or an object. No field has such a value.
        case nested
    }

    private var values: [String: Value] = [:]
    /// Whether the fields are those of a form, in which every value is a text and an absent field counts as empty.
    private let isForm: Bool

    /// Uses the fields of a form.
    init(form: [String: String]) {
        isForm = true
        values = form.mapValues { .text($0) }
    }

    /// Reads a JSON object.
    init(_ bytes: [UInt8], _ limits: PageProtocolLimits) throws(PageProtocolError) {
        isForm = false
        do throws(JSONScanner.Fault) {
            var scanner = try JSONScanner(
                bytes, maximumBytes: limits.maximumBytes, maximumDepth: limits.maximumDepth,
                maximumCount: PageIntentFrame.maximumCount)
            guard case .object = try scanner.value() else { throw scanner.refusal(.value) }
            while let key = try scanner.key() {
                guard values[key] == nil else { throw scanner.refusal(.repeatedKey(key)) }
                try scanner.colon()
                values[key] = try Self.value(&scanner)
            }
            try scanner.finish()
        } catch {
            throw PageProtocolError(error, limits)
        }
    }

    private static func value(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Value {
        switch try scanner.value() {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .string(let text): return .text(text)
        case .number(let digits):
            // JSON does not allow leading zeros.
            guard !scanner.isBeforeDigit else { throw scanner.refusal(.digit) }
            return .number(digits)
        case .array:
            while try scanner.hasElement() { _ = try value(&scanner) }
            return .nested
        case .object:
            while try scanner.key() != nil {
                try scanner.colon()
                _ = try value(&scanner)
            }
            return .nested
        }
    }

    // MARK: Fields

    func required(_ key: String) throws(PageProtocolError) -> Value {
        guard let value = values[key] else { throw .missing(key) }
        return value
    }

    func text(_ key: String) throws(PageProtocolError) -> String {
        guard case .text(let text) = try required(key) else { throw .invalid(key, "a text") }
        return text
    }

    /// Returns an integer. It can also be written as a text, because JavaScript rounds large numbers.
    func integer(_ key: String) throws(PageProtocolError) -> Int64 {
        switch try required(key) {
        case .number(let digits), .text(let digits):
            if let number = Int64(digits) { return number }
        case .null, .bool, .nested: break
        }
        throw .invalid(key, "a whole number")
    }

    /// Returns a text, or `nil` for `null`. In a form, an empty or absent field counts as `null`.
    func optionalText(_ key: String) throws(PageProtocolError) -> String? {
        if isForm, values[key] == nil { return nil }
        switch try required(key) {
        case .null: return nil
        case .text("") where isForm: return nil
        case .text(let text): return text
        case .bool, .number, .nested: throw .invalid(key, "a text or null")
        }
    }
}

extension PageProtocolError {
    init(_ fault: JSONScanner.Fault, _ limits: PageProtocolLimits) {
        switch fault.code {
        case .tooLong:
            self.init(.tooLarge, reason: "The frame has more than \(limits.maximumBytes) bytes.")
        case .tooMany:
            self.init(.tooLarge, reason: "The frame has more than \(PageIntentFrame.maximumCount) values.")
        case .tooDeep:
            self.init(.tooDeep, reason: "The frame nests values more than \(limits.maximumDepth) levels deep.")
        case .value, .key, .colon, .comma, .digit, .escape, .hexadecimal, .surrogate, .controlCharacter, .notUTF8,
            .openString, .trailing, .repeatedKey:
            self.init(.malformed, reason: "The frame is not a valid JSON object: error at byte \(fault.offset).")
        }
    }
}
