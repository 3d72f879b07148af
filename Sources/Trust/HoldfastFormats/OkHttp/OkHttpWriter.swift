import HoldfastTrust

/// Writes OkHttp pins, a line for each.
enum OkHttpWriter {
    static func text(of domains: [AdaptedDomain]) -> String {
        var text = ""
        for domain in domains {
            let prefix =
                switch domain.pattern.depth {
                case .oneLabel: "*."
                case .apexAndAnyDepth: "**."
                default: ""
                }
            for pin in domain.pins { text += "\(prefix)\(domain.pattern.host) \(pin.digest)\n" }
        }
        return text
    }
}
