import HoldfastTrust

/// The properties that must hold for certificate timestamps and lists of logs.
enum TransparencyFuzzing {
    static func timestamps(_ bytes: [UInt8]) throws(BrokenPromise) {
        let list: EmbeddedTimestamps
        do throws(SCTListError) {
            list = try EmbeddedTimestamps(list: bytes)
        } catch {
            try BrokenPromise.unless(!error.reason.isEmpty, "the error has no reason")
            return
        }
        let count = list.timestamps.count + list.unknownVersions
        try BrokenPromise.unless(
            (1...EmbeddedTimestamps.maximumCount).contains(count), "the list has \(count) timestamps")
        try BrokenPromise.unless(bytes.count <= EmbeddedTimestamps.maximumSize, "the list exceeds its limit")
        for timestamp in list.timestamps {
            try BrokenPromise.unless(timestamp.logID.bytes.count == 32, "a log identifier does not have 32 bytes")
            try BrokenPromise.unless(
                timestamp.timestamp.secondsSince1970 >= 0, "the time \(timestamp.milliseconds) became negative")
        }
    }

    static func logList(_ bytes: [UInt8]) throws(BrokenPromise) {
        let signed = try? SignedLogList(bytes, keys: [], application: "fuzzing")
        try BrokenPromise.unless(signed == nil, "a signed list was accepted without a key")
        let list: TransparencyLogList
        do throws(TransparencyLogListError) {
            list = try TransparencyLogList(json: bytes)
        } catch {
            try BrokenPromise.unless(!error.problems.isEmpty, "a list was refused without a reason")
            _ = error.description
            return
        }
        for log in list.logs {
            try BrokenPromise.unless(
                log.id == TransparencyLogID(hashing: log.key), "an identifier is not the hash of its key")
            try BrokenPromise.unless(list.log(log.id) == log, "a log of the list is not found")
        }
        let again: TransparencyLogList
        do throws(TransparencyLogListError) {
            again = try TransparencyLogList(json: Array(list.holdfastJSON.utf8))
        } catch {
            throw BrokenPromise("a written list cannot be read: \(error)")
        }
        try BrokenPromise.unless(
            again.issued == list.issued && again.logs == list.logs, "a list differs after writing and reading it")
        _ = TransparencyLogs(list).isOutdated(at: FuzzTarget.time)
    }
}
