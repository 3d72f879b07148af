/// A language tag (BCP 47), or the identifier of a locale, as its parts.
struct ChatLanguage: Hashable, Sendable {
    /// The language: two or three small letters. Old codes are replaced: `iw` by `he`, `in` by `id`, `ji` by `yi`.
    let code: String
    /// The script, such as `Arab`, if the tag names one.
    let script: String?
    /// The region, such as `BR`, if the tag names one. The world (`001`), as in a system without a locale, is none.
    let region: String?

    /// Reads a tag such as `pt-BR`, or an identifier such as `zh_Hans_CN@calendar=buddhist`.
    init(_ identifier: String) {
        let tag = identifier.prefix { $0 != "@" && $0 != "." }
        let parts = tag.split { $0 == "-" || $0 == "_" }.map(String.init)
        func isWord(_ text: String, _ count: Int) -> Bool {
            text.utf8.count == count && text.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        }
        let first = parts.first?.lowercased() ?? ""
        let isCode = isWord(first, 2) || isWord(first, 3)
        let old = ["iw": "he", "in": "id", "ji": "yi", "no": "nb"]
        code = isCode ? old[first] ?? first : "en"
        var rest = isCode ? parts.dropFirst() : []
        script = rest.first.flatMap { isWord($0, 4) ? $0.capitalizedASCII : nil }
        if script != nil { rest = rest.dropFirst() }
        region = rest.first.flatMap { text in
            let isNumber = text.utf8.count == 3 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return isWord(text, 2) || isNumber && text != "001" ? text.uppercased() : nil
        }
    }

    /// The language as a BCP 47 tag.
    var tag: String { [code, script, region].compactMap(\.self).joined(separator: "-") }

    /// Whether the language is written from right to left.
    var isRightToLeft: Bool {
        if let script {
            return ["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"].contains(script)
        }
        return [
            "ar", "arc", "azb", "ckb", "dv", "fa", "glk", "he", "ks", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug",
            "ur", "yi",
        ].contains(code)
    }
}

extension String {
    /// The text with a capital first letter and small other letters.
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
