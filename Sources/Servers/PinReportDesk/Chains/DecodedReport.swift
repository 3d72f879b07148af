package import HoldfastTrust
package import PinReports

/// A stored report, decoded for a page.
package struct DecodedReport: Hashable, Sendable {
    /// The report's number.
    package var id: Int64
    /// The time of arrival.
    package var receivedAt: Timestamp
    /// The fields.
    package var report: ReceivedReport
    /// The chain that the client verified; empty if no path was found or the report leaves it out.
    package var validated: DecodedChain
    /// The chain that the server sent, if the report has it.
    package var served: DecodedChain?

    /// Decodes the bytes of a report.
    ///
    /// - Throws: ``ReportFault`` if the bytes are not a valid report, for example because the limits were reduced after
    ///   the report was stored.
    package init(
        id: Int64, receivedAt: Timestamp, body: [UInt8], limits: PinReportLimits
    ) throws(ReportFault) {
        self.id = id
        self.receivedAt = receivedAt
        report = try ReportReader.read(body, limits: limits)
        let members = Self.members(body)
        validated = DecodedChain(pem: Self.texts(members["validated-certificate-chain"]))
        served = members["served-certificate-chain"].map { DecodedChain(pem: Self.texts($0)) }
    }

    /// The chain that shows what the client saw: the verified one, or else the sent one.
    package var chain: DecodedChain {
        guard validated.certificates.isEmpty, let served else { return validated }
        return served
    }

    /// The pins that the client expected, such as `sha256/…`.
    package var expectedPins: [String] { report.knownPins.map { "sha256/" + $0 } }

    private static func members(_ body: [UInt8]) -> [String: JSONNode.Value] {
        guard case .object(let members) = try? JSONReader.read(body).value else { return [:] }
        return Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
    }

    private static func texts(_ value: JSONNode.Value?) -> [String] {
        guard case .array(let elements) = value else { return [] }
        return elements.map { element in
            guard case .string(let text) = element.value else { return "" }
            return text
        }
    }
}
