/// The parts of a revocation list as ranges of its bytes (RFC 5280, 5.1).
struct RevocationListContent {
    var tbs: Range<Int>
    var issuer: Range<Int>
    var thisUpdate: Timestamp
    var nextUpdate: Timestamp?
    var signatureAlgorithm: Range<Int>
    var signature: Range<Int>
    var revokedSerials: Set<ArraySlice<UInt8>> = []
    var defects: [String] = []

    /// `id-ce-cRLNumber` and `id-ce-authorityKeyIdentifier`, the extensions of a complete list (RFC 5280, 5.2).
    private static let number: [UInt8] = [0x55, 0x1D, 0x14]

    init(_ der: [UInt8]) throws(DERFault) {
        var outer = DERReader(der)
        let list = try outer.read(DERTag.sequence)
        try outer.finish()
        var parts = outer.inside(list)
        let tbsElement = try parts.read(DERTag.sequence)
        signatureAlgorithm = try parts.read(DERTag.sequence).whole
        signature = try parts.readBitString().bytes
        try parts.finish()

        tbs = tbsElement.whole
        var body = parts.inside(tbsElement)
        let version = body.nextTag == DERTag.integer ? try body.readSmallInteger() : 0
        if version > 1 { defects.append("version \(version + 1) is unknown") }
        let innerAlgorithm = try body.read(DERTag.sequence).whole
        if der[innerAlgorithm] != der[signatureAlgorithm] {
            defects.append("the two signature algorithm fields differ")
        }
        issuer = try body.read(DERTag.sequence).whole
        thisUpdate = try body.readTime().time
        if body.nextTag == DERTag.utcTime || body.nextTag == DERTag.generalizedTime {
            nextUpdate = try body.readTime().time
        } else {
            defects.append("it does not say when the next one is due")
        }
        if let revoked = try body.readIfPresent(DERTag.sequence) { try readEntries(body.inside(revoked)) }
        if let wrapper = try body.readIfPresent(DERTag.context(0, constructed: true)) {
            var inner = body.inside(wrapper)
            let extensions = try inner.read(DERTag.sequence)
            try inner.finish()
            try readExtensions(inner.inside(extensions))
        } else {
            defects.append("the list has no number")
        }
        try body.finish()
    }

    private mutating func readEntries(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        while !reader.isAtEnd {
            var entry = reader.inside(try reader.read(DERTag.sequence))
            revokedSerials.insert(reader.bytes[try entry.readInteger()])
            _ = try entry.readTime()
            // An entry's extension that must be understood (an indirect list's certificate issuer) makes the list
            // unusable as a whole.
            if let extensions = try entry.readIfPresent(DERTag.sequence) {
                var list = entry.inside(extensions)
                while !list.isAtEnd {
                    var item = list.inside(try list.read(DERTag.sequence))
                    _ = try item.read(DERTag.objectIdentifier)
                    if item.nextTag == DERTag.boolean, try item.readBoolean() {
                        defects.append("an entry has a critical extension")
                    }
                }
            }
            try entry.finish()
        }
    }

    private mutating func readExtensions(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var hasNumber = false
        while !reader.isAtEnd {
            var item = reader.inside(try reader.read(DERTag.sequence))
            let identifier = reader.bytes[try item.read(DERTag.objectIdentifier).content]
            let isCritical = item.nextTag == DERTag.boolean ? try item.readBoolean() : false
            _ = try item.read(DERTag.octetString)
            try item.finish()
            if identifier.elementsEqual(RevocationListContent.number) {
                hasNumber = true
            }
            // The list number must not be critical (5.2.3), and no other critical extension is processed.
            if isCritical {
                defects.append("the critical extension \(ObjectIdentifier.text(of: identifier)) is not processed")
            }
        }
        if !hasNumber { defects.append("the list has no number") }
    }
}
