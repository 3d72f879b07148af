import HTTPTypes
import HoldfastBase
import HoldfastTrust

/// A report to one address, as stored on disk.
///
/// The file is JSON with a digest of the body, because data from the disk is validated like data from the network. It
/// contains no header fields: an app's credentials stay in memory.
struct ReportDelivery: Hashable, Sendable {
    /// The unique ID of the report: 32 hexadecimal digits. Each attempt sends it to the collector.
    var id: String
    /// The address of the collector.
    var url: String
    /// A pseudonym for the host of the failed rule; empty if unknown.
    var about: String
    /// The time at which the report was created.
    var created: Timestamp
    /// The number of times that a collector responded without accepting the report.
    var attempts = 0
    /// The number of attempts, whatever their outcome.
    var tries = 0
    /// The earliest time for the next attempt.
    var due: Timestamp
    /// The JSON to send.
    var body: String

    /// Returns the size limit of a file, including JSON escapes and the other members.
    static func fileLimit(body: Int) -> Int { min(max(0, body), 1 << 30) * 2 + 16 * 1_024 }

    /// The contents of the file.
    var file: [UInt8] {
        Array(
            JSONWriter.text(
                .fields([
                    ("holdfastReport", .number("1")), ("id", .string(id)), ("url", .string(url)),
                    ("about", .string(about)),
                    ("created", .number("\(created.secondsSince1970)")), ("attempts", .number("\(attempts)")),
                    ("tries", .number("\(tries)")),
                    ("due", .number("\(due.secondsSince1970)")),
                    ("digest", .string(SHA256Hash(hashing: body.utf8).base64)), ("body", .string(body)),
                ])
            ).utf8)
    }

    init(id: String, url: String, about: String = "", created: Timestamp, body: String) {
        self.id = id
        self.url = url
        self.about = about
        self.created = created
        self.due = created
        self.body = body
    }

    /// Parses a file. Throws the position and the reason of a failure.
    init(file: [UInt8]) throws(JSONFault) {
        let root = try JSONReader.read(file)
        guard case .object(let members) = root.value else {
            throw JSONFault(reason: "an object is expected", position: root.position)
        }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        func text(_ key: String) throws(JSONFault) -> String {
            guard case .string(let text)? = values[key]?.value else {
                throw JSONFault(
                    reason: "\"\(key)\" is missing or not a string", position: values[key]?.position ?? root.position)
            }
            return text
        }
        func number(_ key: String) throws(JSONFault) -> Int64 {
            guard case .number(let digits)? = values[key]?.value, let number = Int64(digits) else {
                throw JSONFault(
                    reason: "\"\(key)\" is missing or not a whole number",
                    position: values[key]?.position ?? root.position
                )
            }
            // The limits prevent overflows in later calculations.
            return min(max(number, -(1 << 40)), 1 << 40)
        }
        guard try number("holdfastReport") == 1 else {
            throw JSONFault(reason: "the file has another version", position: root.position)
        }
        id = try text("id")
        url = try text("url")
        about = values["about"] == nil ? "" : try text("about")
        created = Timestamp(secondsSince1970: try number("created"))
        attempts = Int(max(0, try number("attempts")))
        tries = max(attempts, Int(max(0, try number("tries"))))
        due = Timestamp(secondsSince1970: try number("due"))
        body = try text("body")
        guard try text("digest") == SHA256Hash(hashing: body.utf8).base64 else {
            throw JSONFault(reason: "the body does not match the digest", position: root.position)
        }
        guard Self.isID(id) else {
            throw JSONFault(reason: "\"id\" is not 32 hexadecimal digits", position: root.position)
        }
    }

    /// Returns a pseudonym for a rule's host. The host itself is not stored, because redaction may omit it from the
    /// report.
    static func about(_ host: CanonicalHost) -> String {
        String(SHA256Hash(hashing: host.text.utf8).base64.prefix(11))
    }

    /// Returns whether a text is a valid report ID, and so safe in a file name.
    static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns an ID made of two random numbers.
    static func id(_ high: UInt64, _ low: UInt64) -> String {
        [high, low].map { withUnsafeBytes(of: $0.bigEndian) { $0.hexadecimal } }.joined()
    }
}

/// Sends one report to its collector.
struct ReportSender: Sendable {
    let client: HTTPClient
    let timeout: Duration
    let clock: TrustClock
    /// The header fields by address.
    let fields: [String: HTTPFields]
    /// What collectors request under overload.
    let sampling: ReportSampling

    /// Sends a report. Returns the outcome and the reason of a failure, or `nil` if the task was cancelled.
    ///
    /// Only the status counts. The body is not read, so it can be neither too large nor too slow. Redirects are not
    /// followed and count as any other status.
    func send(_ delivery: ReportDelivery) async -> (ReportQueue.Outcome, String)? {
        let options = RequestOptions(idleTimeout: timeout, totalTimeout: timeout)
        do {
            let request = try request(delivery)
            let (status, retryAfter, share) = try await client.execute(
                request, body: .bytes(Array(delivery.body.utf8)), options: options
            ) { response, _ in
                (response.status.code, response.headerFields[.retryAfter], Self.sampling(response.headerFields))
            }
            sampling.answered(delivery.url, share)
            switch status {
            case 200..<300: return (.sent, "")
            case 408, 429, 500...:
                return (.failed(retryAfter: RetryAfter.seconds(retryAfter, now: clock.now())), "status \(status)")
            default: return (.refused, "status \(status)")
            }
        } catch {
            if Task.isCancelled { return nil }
            return (.unreachable, TransportError.label(of: error))
        }
    }

    private static func sampling(_ fields: HTTPFields) -> String? {
        HTTPField.Name(ReportSampling.field).flatMap { fields[$0] }
    }

    private func request(_ delivery: ReportDelivery) throws(TransportError) -> HTTPRequest {
        let url = try RequestURL(delivery.url)
        var fields = fields[delivery.url] ?? [:]
        fields[.contentType] = "application/json"
        // Holdfast's own collector uses the first field; gateways without knowledge of reports understand the second.
        if let name = HTTPField.Name("Holdfast-Report-ID") { fields[name] = delivery.id }
        if let name = HTTPField.Name("Idempotency-Key") { fields[name] = "\"\(delivery.id)\"" }
        return url.request(.post, fields)
    }
}
