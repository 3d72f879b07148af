import HoldfastTrust

/// The servers of one run, each once.
enum ProbeTargetList {
    /// The most servers of one run.
    static let countLimit = 1_000
    /// The most bytes of a file of servers.
    static let sizeLimit = 1024 * 1024

    /// The servers of the command line, then those of a file. Throws one sentence, with the line for the file.
    static func read(_ arguments: [String], file: (name: String, bytes: [UInt8])?) throws(ToolError) -> [ProbeTarget] {
        var targets: [ProbeTarget] = []
        var seen: Set<ProbeTarget> = []
        func add(_ target: ProbeTarget) throws(ToolError) {
            guard seen.insert(target).inserted else { return }
            targets.append(target)
            guard targets.count <= countLimit else {
                throw ToolError("there are more than \(countLimit) servers", status: .unusableInput)
            }
        }
        for argument in arguments { try add(try ProbeTarget(argument)) }
        if let file {
            guard let text = String(validating: file.bytes, as: UTF8.self) else {
                throw ToolError("\(file.name) is not UTF-8")
            }
            let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            for (number, line) in lines.enumerated() {
                let entry = line.prefix { $0 != "#" }.trimming(while: \.isWhitespace)
                if entry.isEmpty { continue }
                do throws(ToolError) {
                    try add(try ProbeTarget(String(entry)))
                } catch {
                    throw ToolError("\(file.name):\(number + 1): \(error.sentence)")
                }
            }
        }
        guard !targets.isEmpty else { throw ToolError("there is no server to probe", status: .usage) }
        return targets
    }
}

extension Substring {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return rest
    }
}
