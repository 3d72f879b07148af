public import HoldfastTransport
public import HoldfastTrust
import PinReports

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

    /// Reads a report of TrustKit or of RFC 7469, section 3, as strictly as `PinReportCollector` with its default
    /// limits.
    ///
    /// - Throws: ``TestKitError`` with the code `invalidReport`.
    public init(_ body: [UInt8]) throws(TestKitError) {
        do throws(RequestRefusal) {
            try self.init(reading: body)
        } catch {
            throw Self.invalid(error)
        }
    }

    init(reading body: [UInt8]) throws(RequestRefusal) {
        let limits = PinReportLimits()
        guard body.count <= limits.bodyBytes else { throw RequestRefusal(tooLarge: limits) }
        let report: ReceivedReport
        do throws(ReportFault) {
            report = try ReportReader.read(body, limits: limits)
        } catch {
            throw RequestRefusal(error)
        }
        format = report.format == .trustKit ? .trustKit : .hpkp
        host = report.host.text
        port = report.port
        notedHost = report.notedHost.text
        knownPins = report.knownPins
        result = report.result
        bundleID = report.app?.bundleID
        self.body = body
    }

    static func invalid(_ refusal: RequestRefusal) -> TestKitError {
        let place = refusal.field.map { $0.isEmpty ? "" : "\($0): " } ?? ""
        return TestKitError(.invalidReport, "A received report is not valid: \(place)\(refusal.reason)")
    }
}
