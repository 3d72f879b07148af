import Crypto

/// The hash by which a request names the issuer of a certificate.
public enum OCSPHash: String, Hashable, Sendable, CaseIterable {
    /// What every responder understands (RFC 5019, 2.1.1). Nothing rests on its strength: the answer's signature is made
    /// over the serial number, and the issuer is known from the path.
    case sha1
    /// RFC 6960 allows it; responders that prepare their answers in advance may not know the certificate by it.
    case sha256

    /// An `AlgorithmIdentifier` with the NULL that responders expect.
    var identifier: [UInt8] {
        let name =
            switch self {
            case .sha1: ObjectIdentifier.sha1
            case .sha256: ObjectIdentifier.sha2 + [0x01]
            }
        return DERWriter.sequence(DERWriter.objectIdentifier(name), DERWriter.element(DERTag.null, []))
    }

    func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        }
    }

    /// The hash that an `AlgorithmIdentifier` names, with or without NULL; `nil` for any other.
    init?(identifier reader: DERReader) {
        var reader = reader
        guard let name = try? reader.read(DERTag.objectIdentifier).content else { return nil }
        if !reader.isAtEnd {
            guard let null = try? reader.read(DERTag.null), null.content.isEmpty, reader.isAtEnd else { return nil }
        }
        let content = reader.bytes[name]
        if content.elementsEqual(ObjectIdentifier.sha1) {
            self = .sha1
        } else if content.elementsEqual(ObjectIdentifier.sha2 + [0x01]) {
            self = .sha256
        } else {
            return nil
        }
    }
}
