/// The names of the faults.
enum ScriptFaultName: String, CaseIterable {
    case lose, withhold, fail, delay, repeatReply, cutBeforeReply, cut
    case repeatPush, losePush, swapPushes
    case ignoreUpgrade, refuseUpgrade, failCall, delayCall
}
