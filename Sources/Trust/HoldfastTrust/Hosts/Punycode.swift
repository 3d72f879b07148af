/// Punycode, the encoding of non-ASCII characters in A-labels (RFC 3492, with the parameters of section 5).
enum Punycode {
    private static let base = 36
    private static let minimumThreshold = 1
    private static let maximumThreshold = 26
    private static let skew = 38
    private static let damping = 700
    private static let initialBias = 72
    private static let initialCodePoint = 0x80
    private static let delimiter = UInt8(ascii: "-")

    /// Encodes characters without the prefix `xn--`. Returns `nil` on integer overflow, which only very long text
    /// causes.
    static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        var output = scalars.filter(\.isASCII).map { UInt8(ascii: $0) }
        let basicCount = output.count
        if basicCount > 0 { output.append(delimiter) }
        var (codePoint, delta, bias, handled) = (initialCodePoint, 0, initialBias, basicCount)
        while handled < scalars.count {
            guard let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= codePoint }).min() else { return nil }
            let (step, overflow) = (next - codePoint).multipliedReportingOverflow(by: handled + 1)
            guard !overflow, step < Int(Int32.max), delta < Int(Int32.max) else { return nil }
            delta += step
            codePoint = next
            for scalar in scalars {
                if scalar.value < codePoint { delta += 1 }
                guard scalar.value == codePoint else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            codePoint += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes text without its prefix `xn--`. Returns `nil` if it is not valid Punycode. Takes quadratic time: the
    /// caller must limit the length.
    static func decode(_ bytes: [UInt8]) -> [Unicode.Scalar]? {
        var output: [Unicode.Scalar] = []
        var digits = bytes[...]
        if let delimiterIndex = bytes.lastIndex(of: delimiter) {
            for byte in bytes[..<delimiterIndex] {
                guard byte < initialCodePoint else { return nil }
                output.append(Unicode.Scalar(byte))
            }
            digits = bytes[(delimiterIndex + 1)...]
        }
        var (codePoint, index, bias) = (initialCodePoint, 0, initialBias)
        while !digits.isEmpty {
            let previous = index
            guard let step = takeInteger(from: &digits, bias: bias) else { return nil }
            let (sum, overflow) = index.addingReportingOverflow(step)
            guard !overflow else { return nil }
            let count = output.count + 1
            bias = adapted(sum - previous, count: count, isFirst: previous == 0)
            codePoint += sum / count
            index = sum % count
            // ASCII code points must not be encoded. Surrogates and values beyond Unicode are not valid.
            guard let value = UInt32(exactly: codePoint), let scalar = Unicode.Scalar(value) else { return nil }
            output.insert(scalar, at: index)
            index += 1
        }
        return output
    }

    /// Reads one integer of variable length (RFC 3492, 3.3).
    private static func takeInteger(from digits: inout ArraySlice<UInt8>, bias: Int) -> Int? {
        var (value, weight, position) = (0, 1, base)
        while let byte = digits.popFirst() {
            guard let digit = digit(of: byte) else { return nil }
            let (product, productOverflow) = digit.multipliedReportingOverflow(by: weight)
            let (sum, sumOverflow) = value.addingReportingOverflow(product)
            guard !productOverflow, !sumOverflow, sum <= Int(Int32.max) else { return nil }
            value = sum
            let threshold = threshold(position, bias)
            if digit < threshold { return value }
            let (nextWeight, weightOverflow) = weight.multipliedReportingOverflow(by: base - threshold)
            guard !weightOverflow else { return nil }
            weight = nextWeight
            position += base
        }
        return nil
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var (rest, position) = (delta, base)
        while true {
            let threshold = threshold(position, bias)
            guard rest >= threshold else { break }
            let (quotient, remainder) = (rest - threshold).quotientAndRemainder(dividingBy: base - threshold)
            output.append(byte(of: threshold + remainder))
            rest = quotient
            position += base
        }
        output.append(byte(of: rest))
    }

    private static func threshold(_ position: Int, _ bias: Int) -> Int {
        min(max(position - bias, minimumThreshold), maximumThreshold)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var position = 0
        while delta > (base - minimumThreshold) * maximumThreshold / 2 {
            delta /= base - minimumThreshold
            position += base
        }
        return position + (base - minimumThreshold + 1) * delta / (delta + skew)
    }

    private static func byte(of digit: Int) -> UInt8 {
        UInt8(clamping: digit < 26 ? digit + Int(UInt8(ascii: "a")) : digit - 26 + Int(UInt8(ascii: "0")))
    }

    private static func digit(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }
}
