public import HoldfastTransport
public import HoldfastTrust

/// A report of a pin failure that a ``FakeReportCollector`` has received.
public struct CollectedReport: Hashable, Sendable {
    /// The format of the report.
    public let format: ReportFormat
    /// The host of the refused connection (`hostname`).
    public let host: String
    /// The port of the refused connection.
    public let port: Int
    /// The host of the rule (`noted-hostname`).
    public let notedHost: String
    /// The pins of the rule in base64, without `pin-sha256`.
    public let knownPins: [String]
    /// The result in TrustKit's terms; `nil` in the format of RFC 7469.
    public let result: TrustKitResult?
    /// The identifier of the app; `nil` in the format of RFC 7469.
    public let bundleID: String?
    /// The report as it was received.
    public let body: [UInt8]

    /// Reads a report of TrustKit or of RFC 7469, section 3. Checks only the members that this type has.
    ///
    /// - Throws: ``TestKitError`` with the code `invalidReport`.
    public init(_ body: [UInt8]) throws(TestKitError) {
        let node: JSONNode
        do throws(JSONFault) {
            node = try JSONReader.read(body)
        } catch {
            throw Self.invalid("the body is not valid JSON (\(error.reason))")
        }
        guard case .object(let members) = node.value else { throw Self.invalid("the body is not an object") }
        let values = Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
        // Members that only TrustKit's format has.
        let isTrustKit = values["validation-result"] != nil || values["app-bundle-id"] != nil
        format = isTrustKit ? .trustKit : .hpkp
        host = try Self.string("hostname", values)
        notedHost = try Self.string("noted-hostname", values)
        port = try Self.integer("port", values)
        knownPins = try Self.pins(values)
        bundleID = isTrustKit ? try Self.string("app-bundle-id", values) : nil
        let number = isTrustKit ? try Self.integer("validation-result", values) : nil
        result = number.flatMap { TrustKitResult(rawValue: $0) }
        guard number == nil || result != nil else { throw Self.invalid("validation-result must be 0 to 5") }
        self.body = body
    }

    private static func pins(_ values: [String: JSONNode.Value]) throws(TestKitError) -> [String] {
        guard case .array(let nodes)? = values["known-pins"] else { throw invalid("known-pins must be a list") }
        var pins: [String] = []
        for node in nodes {
            guard case .string(let text) = node.value, text.hasPrefix("pin-sha256=\""), text.hasSuffix("\"") else {
                throw invalid("a pin must be pin-sha256=\"…\"")
            }
            pins.append(String(text.dropFirst("pin-sha256=\"".count).dropLast()))
        }
        return pins
    }

    private static func string(_ name: String, _ values: [String: JSONNode.Value]) throws(TestKitError) -> String {
        guard case .string(let text)? = values[name] else { throw invalid("\(name) must be a string") }
        return text
    }

    private static func integer(_ name: String, _ values: [String: JSONNode.Value]) throws(TestKitError) -> Int {
        guard case .number(let digits)? = values[name], let number = Int(digits) else {
            throw invalid("\(name) must be an integer")
        }
        return number
    }

    static func invalid(_ reason: String) -> TestKitError {
        TestKitError(.invalidReport, "A received report is not valid: \(reason).")
    }
}
