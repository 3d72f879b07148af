import HoldfastBase
import HoldfastTrust

/// One report to one address, as it waits on the disk.
///
/// The file is JSON with a digest of the body: what the disk hands back is believed as little as the network. Header fields are
/// not in it: an app's credentials stay in memory.
struct ReportDelivery: Hashable, Sendable {
    /// What tells it from every other: 32 hexadecimal digits. The collector is told it with each attempt.
    var id: String
    /// Where it goes.
    var url: String
    /// Stands for the host of the rule that it is about; empty where that is not known.
    var about: String
    /// When it was made.
    var created: Timestamp
    /// How often a collector answered, and did not take it.
    var attempts = 0
    /// How often it was tried, whatever came of it.
    var tries = 0
    /// Not to be tried before.
    var due: Timestamp
    /// The JSON that is sent.
    var body: String

    /// Room for what stands around the body in a file, escapes of the body included.
    static func fileLimit(body: Int) -> Int { min(max(0, body), 1 << 30) * 2 + 16 * 1_024 }

    /// The file's contents.
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

    /// Reads a file. Throws where, and why not.
    init(file: [UInt8]) throws(JSONFault) {
        let root = try JSONReader.read(file)
        guard case .object(let members) = root.value else {
            throw JSONFault(reason: "an object is expected", position: root.position)
        }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        func text(_ key: String) throws(JSONFault) -> String {
            guard case .string(let text)? = values[key]?.value else {
                throw JSONFault(
                    reason: "\"\(key)\" is missing or no string", position: values[key]?.position ?? root.position)
            }
            return text
        }
        func number(_ key: String) throws(JSONFault) -> Int64 {
            guard case .number(let digits)? = values[key]?.value, let number = Int64(digits) else {
                throw JSONFault(
                    reason: "\"\(key)\" is missing or no whole number", position: values[key]?.position ?? root.position
                )
            }
            // So that differences and sums cannot overflow, whatever the file says.
            return min(max(number, -(1 << 40)), 1 << 40)
        }
        guard try number("holdfastReport") == 1 else {
            throw JSONFault(reason: "the file is of another version", position: root.position)
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
            throw JSONFault(reason: "the body is not what the digest says", position: root.position)
        }
        guard Self.isID(id) else { throw JSONFault(reason: "\"id\" is none", position: root.position) }
    }

    /// What stands for a rule's host. The host itself is not written: redaction may leave it out of the report.
    static func about(_ host: CanonicalHost) -> String {
        String(SHA256Hash(hashing: host.text.utf8).base64.prefix(11))
    }

    /// Whether a text can be the id of a delivery, and so part of a file's name.
    static func isID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// An id of two random numbers.
    static func id(_ high: UInt64, _ low: UInt64) -> String {
        [high, low].map { withUnsafeBytes(of: $0.bigEndian) { $0.hexadecimal } }.joined()
    }
}
