/// The reason for a revocation (RFC 5280, 5.3.1).
public enum RevocationReason: String, Hashable, Sendable, CaseIterable {
    /// The authority states no specific reason.
    case unspecified
    /// The private key is known or suspected to be compromised.
    case keyCompromise
    /// The private key of an authority is known or suspected to be compromised.
    case caCompromise
    /// The subject's name or another part of the certificate has changed.
    case affiliationChanged
    /// The certificate was replaced.
    case superseded
    /// The certificate is no longer needed.
    case cessationOfOperation
    /// The certificate is on hold. The authority may lift the hold.
    case certificateHold
    /// A delta list removes the certificate from the complete list, for example after a hold.
    case removeFromCRL
    /// A privilege in the certificate was withdrawn.
    case privilegeWithdrawn
    /// An attribute authority is known or suspected to be compromised.
    case aaCompromise

    /// Creates a reason from its `CRLReason` number. Returns `nil` for a number that RFC 5280 does not define.
    init?(number: Int) {
        switch number {
        case 0: self = .unspecified
        case 1: self = .keyCompromise
        case 2: self = .caCompromise
        case 3: self = .affiliationChanged
        case 4: self = .superseded
        case 5: self = .cessationOfOperation
        case 6: self = .certificateHold
        case 8: self = .removeFromCRL
        case 9: self = .privilegeWithdrawn
        case 10: self = .aaCompromise
        default: return nil
        }
    }
}

/// The reasons that a list or a distribution point covers (`ReasonFlags`, RFC 5280, 4.2.1.13).
struct RevocationReasons: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// Bits 1 to 8. Bit 0 is unused.
    static let all = RevocationReasons(rawValue: 0x01FE)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads the flags from a bit string with an implicit tag.
    init(_ reader: inout DERReader, _ tag: UInt8) throws(DERFault) {
        let bytes = try reader.readBitString(tag).bytes
        var flags: UInt16 = 0
        for bit in 0..<9 where bit / 8 < bytes.count {
            if reader.bytes[bytes.lowerBound + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { flags |= 1 << UInt16(bit) }
        }
        self.init(rawValue: flags)
        formIntersection(.all)
    }
}
