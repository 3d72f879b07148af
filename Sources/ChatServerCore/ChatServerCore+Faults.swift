extension ChatServerCore {
    /// The planned fault that a frame with this action meets, if any; it is used up.
    mutating func takeFault(for action: String) -> ServerFault? {
        for index in faults.indices {
            switch faults[index] {
            case .lose(action), .fail(action, _), .cutBeforeReply(action):
                return faults.remove(at: index)
            case .cut(let frames) where frames <= 0:
                return faults.remove(at: index)
            case .cut(let frames):
                faults[index] = .cut(afterFrames: frames - 1)
            default:
                continue
            }
        }
        return nil
    }

    /// Uses up a planned fault.
    mutating func takeFault(_ fault: ServerFault) -> Bool {
        guard let index = faults.firstIndex(of: fault) else { return false }
        faults.remove(at: index)
        return true
    }

    /// The planned fault that a REST call meets, if any; it is used up.
    mutating func takeCallFault() -> ServerFault? {
        let index = faults.firstIndex { if case .failCall = $0 { true } else { false } }
        return index.map { faults.remove(at: $0) }
    }
}
