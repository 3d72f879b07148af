import ChatCenterCore

/// Why a message failed, as it is written. The number of the whole error is not: it does not outlive the process.
struct FailureRecord: Codable, Hashable, Sendable {
    private enum Kind: String, Codable {
        case refused, timedOut, expired, upload
    }

    private var kind: Kind
    private var code: String?
    private var details: String?
    private var transport: String?
    private var trustCode: String?
    private var trustReason: String?
    private var status: Int?

    init(_ failure: SendFailure) {
        switch failure {
        case .refused(let refusal):
            kind = .refused
            code = refusal.code
            details = refusal.details
        case .timedOut: kind = .timedOut
        case .expired: kind = .expired
        case .upload(let failure):
            kind = .upload
            transport = failure.kind.rawValue
            trustCode = failure.trust?.code
            trustReason = failure.trust?.reason
            status = failure.status
            code = failure.refusal?.code
            details = failure.refusal?.details
        }
    }

    func failure() throws -> SendFailure {
        switch kind {
        case .refused:
            guard let code else { throw DamagedRow() }
            return .refused(ServerRefusal(code: code, details: details))
        case .timedOut: return .timedOut
        case .expired: return .expired
        case .upload:
            guard let kind = transport.flatMap(TransportFailure.Kind.init(rawValue:)) else { throw DamagedRow() }
            return .upload(
                TransportFailure(
                    kind, trust: trustCode.map { TrustFailureSummary(code: $0, reason: trustReason ?? "") },
                    status: status, refusal: code.map { ServerRefusal(code: $0, details: details) }))
        }
    }
}
