/// The parts of a certificate (RFC 5280, 4.1) as ranges of its bytes.
///
/// Parsing fails only if the parts cannot be identified. Other violations of the format are collected as defects.
struct CertificateOutline {
    var tbs: Range<Int>
    var version = 1
    var serial: Range<Int>
    var issuer: Range<Int>
    var subject: Range<Int>
    var notBefore: Timestamp?
    var notAfter: Timestamp?
    var spki: Range<Int>
    var keyBits: Range<Int>
    var signatureAlgorithm: Range<Int>
    var signature: Range<Int>
    var extensions: Range<Int>?
    var defects: [String] = []

    init(_ der: [UInt8]) throws(DERFault) {
        var parts = try DERReader(der).onlyElement()
        let tbsElement = try parts.read(DERTag.sequence)
        signatureAlgorithm = try parts.read(DERTag.sequence).whole
        let signatureBits = try parts.readBitString()
        signature = signatureBits.bytes
        if signatureBits.unusedBits != 0 { defects.append("the signature does not consist of whole bytes") }
        try parts.finish()

        tbs = tbsElement.whole
        var body = parts.inside(tbsElement)
        if var inner = try body.contentIfPresent(DERTag.context(0, constructed: true)) {
            let number = try inner.readSmallInteger()
            try inner.finish()
            if number == 0 { defects.append("the default version is encoded") }
            if number > 2 { defects.append("version \(number + 1) is unknown") }
            version = number + 1
        }
        // RFC 5280, 4.1.2.2 limits the serial numbers that CAs may issue. Verifiers must handle zero, negative and long
        // numbers gracefully.
        serial = try body.readInteger()
        let innerAlgorithm = try body.read(DERTag.sequence).whole
        if der[innerAlgorithm] != der[signatureAlgorithm] {
            defects.append("the two signature algorithm fields differ")
        }
        issuer = try body.read(DERTag.sequence).whole
        let validity = try body.read(DERTag.sequence)
        subject = try body.read(DERTag.sequence).whole
        let spkiElement = try body.read(DERTag.sequence)
        spki = spkiElement.whole
        var key = body.inside(spkiElement)
        _ = try key.read(DERTag.sequence)
        let bits = try key.readBitString()
        keyBits = bits.bytes
        if bits.unusedBits != 0 { defects.append("the public key does not consist of whole bytes") }
        try key.finish()
        for number: UInt8 in [1, 2]
        where try body.readIfPresent(DERTag.context(number, constructed: false)) != nil && version < 2 {
            defects.append("a unique identifier requires version 2 or 3")
        }
        if var inner = try body.contentIfPresent(DERTag.context(3, constructed: true)) {
            extensions = try inner.read(DERTag.sequence).content
            try inner.finish()
            if version != 3 { defects.append("extensions require version 3") }
        }
        try body.finish()
        readValidity(body.inside(validity))
    }

    private mutating func readValidity(_ validity: DERReader) {
        var validity = validity
        do throws(DERFault) {
            let start = try validity.readTime()
            let end = try validity.readTime()
            try validity.finish()
            notBefore = start.time
            notAfter = end.time
            // RFC 5280, 4.1.2.5: CAs encode dates through 2049 as UTCTime; verifiers process both forms.
        } catch {
            defects.append("the validity is malformed: \(error.reason.rawValue)")
        }
    }
}
