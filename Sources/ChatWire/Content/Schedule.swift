/// When operators are there.
package struct Schedule: Hashable, Sendable {
    /// One span of one day of the week.
    package struct Interval: Hashable, Sendable {
        package var id: Int64?
        /// 1 is Monday, 7 is Sunday.
        package var weekDay: Int64
        /// Seconds of the day.
        package var startTime: Int64
        /// Seconds of the day, inclusive.
        package var endTime: Int64

        package init(id: Int64? = nil, weekDay: Int64, startTime: Int64, endTime: Int64) {
            self.id = id
            self.weekDay = weekDay
            self.startTime = startTime
            self.endTime = endTime
        }
    }

    package var id: Int64?
    package var active: Bool?
    package var sendDuringInactive: Bool?
    package var isVisibleOutOfHours: Bool?
    /// The text that is shown outside of the hours.
    package var notification: String?
    package var intervals: [Interval]
    /// Milliseconds since 1970.
    package var serverTime: Int64?
    package var extra: JSONObject

    package init(
        id: Int64? = nil, active: Bool? = nil, sendDuringInactive: Bool? = nil, isVisibleOutOfHours: Bool? = nil,
        notification: String? = nil, intervals: [Interval] = [], serverTime: Int64? = nil, extra: JSONObject = [:]
    ) {
        self.id = id
        self.active = active
        self.sendDuringInactive = sendDuringInactive
        self.isVisibleOutOfHours = isVisibleOutOfHours
        self.notification = notification
        self.intervals = intervals
        self.serverTime = serverTime
        self.extra = extra
    }

    /// An interval that cannot be read is left out.
    init(_ object: JSONObject) {
        var fields = FieldReader(object)
        id = fields.integer("id")
        active = fields.bool("active")
        sendDuringInactive = fields.bool("sendDuringInactive")
        isVisibleOutOfHours = fields.bool("isVisibleOutOfHours")
        notification = fields.string("notification")
        intervals = fields.objects("intervals").compactMap { object in
            var interval = FieldReader(object)
            guard let weekDay = interval.integer("weekDay"), (1...7).contains(weekDay),
                let start = interval.integer("startTime"), let end = interval.integer("endTime")
            else { return nil }
            return Interval(id: interval.integer("id"), weekDay: weekDay, startTime: start, endTime: end)
        }
        serverTime = fields.time("serverTime")
        extra = fields.rest
    }

    var json: JSONObject {
        var object = JSONObject()
        object.set("id", id)
        object.set("active", active)
        object.set("sendDuringInactive", sendDuringInactive)
        object.set("isVisibleOutOfHours", isVisibleOutOfHours)
        object.set("notification", notification)
        object.set(
            "intervals",
            intervals.map { interval in
                var object = JSONObject()
                object.set("id", interval.id)
                object.set("weekDay", interval.weekDay)
                object.set("startTime", interval.startTime)
                object.set("endTime", interval.endTime)
                return .object(object)
            })
        object.set("serverTime", time: serverTime)
        object.append(missingFrom: extra)
        return object
    }
}
