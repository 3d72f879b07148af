import HoldfastBase
import HoldfastTrust

/// Parses a report strictly: every field must have a valid type and value within the limits. The first fault is
/// reported with its position.
///
/// The truth of a report is deliberately not checked, because anyone can send one.
package struct ReportReader {
    private var fields: ReportFields
    private let limits: PinReportLimits

    private static let pinPrefix = "pin-sha256=\""

    /// Parses the body of a request.
    package static func read(_ bytes: [UInt8], limits: PinReportLimits) throws(ReportFault) -> ReceivedReport {
        let node: JSONNode
        do throws(JSONFault) {
            node = try JSONReader.read(bytes)
        } catch {
            // The parser's reason may contain a key. This reason does not.
            throw ReportFault(
                .invalidJSON, "", error.position, "The body is not valid JSON: \(Printable.text(error.reason)).")
        }
        var reader = ReportReader(fields: try ReportFields(node, limits: limits), limits: limits)
        return try reader.report()
    }

    private mutating func report() throws(ReportFault) -> ReceivedReport {
        // Fields that only TrustKit has. Either one identifies the format, so that an error names the field that is
        // missing.
        let isTrustKit = fields.has("validation-result") || fields.has("app-bundle-id")
        let app = isTrustKit ? try app() : nil
        let enforced = isTrustKit ? try fields.bool("enforce-pinning") : nil
        let result = isTrustKit ? TrustKitResult(rawValue: try fields.integer("validation-result", in: 0...5)) : nil
        let date = try fields.time("date-time")
        let host = try fields.host("hostname")
        let port = try fields.integer("port", in: 0...65_535)
        let noted = try fields.host("noted-hostname")
        let includesSubdomains = try fields.bool("include-subdomains")
        let validated = try chain("validated-certificate-chain", mayBeUnreadable: false)
        let hasServed = !isTrustKit || fields.has("served-certificate-chain")
        let served = hasServed ? try chain("served-certificate-chain", mayBeUnreadable: true) : nil
        let pins = try pins()
        let expires = try fields.optionalDate(isTrustKit ? "known-pins-expiration-date" : "effective-expiration-date")
        let policyVersion = try fields.optionalInteger("holdfast-policy-version", in: 0...Int64.max)
        return ReceivedReport(
            format: isTrustKit ? .trustKit : .hpkp, reportedAt: date, host: host, port: port, notedHost: noted,
            includesSubdomains: includesSubdomains, isEnforced: enforced, result: result, app: app, knownPins: pins,
            expires: expires, policyVersion: policyVersion, validatedChain: validated, servedChain: served,
            unknownMembers: try unknown())
    }

    private mutating func app() throws(ReportFault) -> ReceivedReport.App {
        ReceivedReport.App(
            bundleID: try fields.string("app-bundle-id"), version: try fields.string("app-version"),
            vendorID: try fields.string("app-vendor-id"), platform: try fields.string("app-platform"),
            platformVersion: try fields.optionalString("app-platform-version"),
            trustKitVersion: try fields.string("trustkit-version"))
    }

    private mutating func pins() throws(ReportFault) -> [String] {
        var pins: [String] = []
        for (field, text, position) in try fields.strings("known-pins", count: limits.pins) {
            guard text.hasPrefix(Self.pinPrefix), text.hasSuffix("\""),
                let digest = SPKIDigest(base64: String(text.dropFirst(Self.pinPrefix.count).dropLast()))
            else {
                throw ReportFault(
                    .invalidValue, field, position,
                    "A pin must be pin-sha256=\"…\", with 32 bytes in base64 between the quotation marks.")
            }
            pins.append(digest.base64)
        }
        return pins
    }

    private mutating func chain(
        _ name: String, mayBeUnreadable: Bool
    ) throws(ReportFault) -> [ReportedCertificate] {
        var chain: [ReportedCertificate] = []
        let texts = try fields.strings(name, count: limits.chainLength, bytes: limits.certificateBytes)
        for (field, text, position) in texts {
            func fault(_ reason: String) -> ReportFault { ReportFault(.invalidValue, field, position, reason) }
            let blocks: [PEMBlock]
            do throws(CertificateError) {
                blocks = try PEMReader.blocks(in: Array(text.utf8))
            } catch {
                throw fault("The PEM text is damaged (\(error.code)).")
            }
            guard blocks.count == 1, let block = blocks.first, block.isCertificate else {
                throw fault("The text must be one certificate in PEM.")
            }
            do throws(CertificateError) {
                chain.append(ReportedCertificate(try CertificateView(der: block.der)))
            } catch {
                // A server may send unreadable certificates, but a validated certificate must be readable.
                guard mayBeUnreadable else { throw fault("The certificate cannot be read (\(error.code)).") }
                chain.append(.unreadable)
            }
        }
        return chain
    }

    private func unknown() throws(ReportFault) -> [String] {
        let names = fields.rest
        guard names.count <= limits.unknownMembers else {
            throw ReportFault(
                .tooMuch, "", .start,
                "The report has \(names.count) unknown fields, but the limit is \(limits.unknownMembers).")
        }
        return names.map { Printable.text(String($0.prefix(64))) }
    }
}
