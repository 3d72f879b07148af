/// The extensions of a certificate that verification processes, decoded.
struct CertificateExtensions {
    var basicConstraints: BasicConstraints?
    var keyUsage: KeyUsage?
    var extendedKeyUsage: ExtendedKeyUsage?
    var subjectAlternativeNames: [GeneralName] = []
    var nameConstraints: NameConstraints?
    var subjectKeyIdentifier: Range<Int>?
    var authorityKeyIdentifier: Range<Int>?
    var unhandledCritical: [String] = []
    /// A limit on what is looked at, which the certificate exceeds. What it bounds was not read.
    var exceeded: CertificateLimit?

    /// More extensions than any certificate has.
    static let maximumCount = 64

    init(_ der: [UInt8], _ range: Range<Int>?, version: Int, defects: inout [String]) {
        guard let range else { return }
        var reader = DERReader(der, in: range)
        var seen: [ArraySlice<UInt8>] = []
        var count = 0
        if reader.isAtEnd { defects.append("the list of extensions is empty") }
        do throws(DERFault) {
            while !reader.isAtEnd {
                count += 1
                guard count <= CertificateExtensions.maximumCount else {
                    throw DERFault(reason: .tooManyElements, offset: reader.position)
                }
                var item = reader.inside(try reader.read(DERTag.sequence))
                let identifier = der[try item.read(DERTag.objectIdentifier).content]
                // An encoded FALSE is the default in more bytes: not DER, and the same meaning to every verifier.
                let isCritical = item.nextTag == DERTag.boolean ? try item.readBoolean() : false
                let value = try item.read(DERTag.octetString).content
                try item.finish()
                guard !seen.contains(identifier) else {
                    defects.append("the extension \(ObjectIdentifier.text(of: identifier)) occurs twice")
                    continue
                }
                seen.append(identifier)
                decode(identifier, isCritical: isCritical, value: value, of: der, defects: &defects)
            }
        } catch {
            note(error, CertificateLimit(what: "extensions", count: CertificateExtensions.maximumCount)) {
                defects.append("the extensions are malformed: \($0.reason.rawValue)")
            }
        }
    }

    /// Tells what is malformed from what is too much.
    private mutating func note(_ fault: DERFault, _ limit: CertificateLimit, otherwise: (DERFault) -> Void) {
        if fault.reason == .tooManyElements { exceeded = exceeded ?? limit } else { otherwise(fault) }
    }

    private mutating func decode(
        _ identifier: ArraySlice<UInt8>, isCritical: Bool, value: Range<Int>, of der: [UInt8],
        defects: inout [String]
    ) {
        let reader = DERReader(der, in: value)
        func malformed(_ name: String, _ fault: DERFault) {
            defects.append("the extension \(name) is malformed: \(fault.reason.rawValue)")
        }
        switch ObjectIdentifier.Known(identifier) {
        case .basicConstraints:
            do { basicConstraints = try BasicConstraints(reader) } catch { malformed("basicConstraints", error) }
        case .keyUsage:
            do { keyUsage = try KeyUsage(reader) } catch { malformed("keyUsage", error) }
        case .extendedKeyUsage:
            do { extendedKeyUsage = try ExtendedKeyUsage(reader) } catch {
                note(error, CertificateLimit(what: "purposes", count: ExtendedKeyUsage.maximumCount)) {
                    malformed("extKeyUsage", $0)
                }
            }
        case .subjectAlternativeName:
            do { subjectAlternativeNames = try GeneralName.sequence(reader) } catch {
                note(error, CertificateLimit(what: "names", count: GeneralName.maximumCount)) {
                    malformed("subjectAltName", $0)
                }
            }
        case .nameConstraints:
            do { nameConstraints = try NameConstraints(reader) } catch {
                note(error, CertificateLimit(what: "name constraints", count: NameConstraints.maximumCount)) {
                    malformed("nameConstraints", $0)
                }
            }
        case .certificatePolicies:
            // Any policy is acceptable to a TLS client, so there is nothing to process even where it is critical.
            break
        case .subjectKeyIdentifier:
            // RFC 5280, 4.2.1.2 and 4.2.1.1: both key identifiers must not be critical.
            if isCritical { unhandledCritical.append("subjectKeyIdentifier") }
            subjectKeyIdentifier = KeyIdentifier.subject(reader)
        case .authorityKeyIdentifier:
            if isCritical { unhandledCritical.append("authorityKeyIdentifier") }
            authorityKeyIdentifier = KeyIdentifier.authority(reader)
        case nil:
            if isCritical { unhandledCritical.append(ObjectIdentifier.text(of: identifier)) }
        }
    }
}
