// The words of what a clerk does by hand: typing, counting, delivering again, signing in, hearing.

const when = (en) => (value) => en.replace('%', () => value);

export const clerkWords = {
    en: {
        search: 'Search in the content', filterMore: 'Date, person, place', filterFrom: 'From', filterTo: 'To',
        operator: 'Person', place: 'Place', allOperators: 'Everybody', allPlaces: 'All places',
        unknownFormat: 'Unknown format', opensAs: 'It leads to',
        apps: 'Apps on this station',
        typing: 'Type a code', typingHint: 'Code below the bars', typingFormat: 'Kind of code', typingAny: 'Any code',
        typingStore: 'Save', typingKeep: 'Save it as it is', typingAgain: 'Correct it',
        wrongCheckDigit: when('The check digit is wrong: the last digit would have to be %. Look at the number again.'),
        wrongLength: 'This kind of code has another number of digits.', wrongElements: when('%'),
        typingEmpty: 'Type a code first.',
        keptTitle: 'Not at the station yet', keptState: 'Kept here, sent by itself', keptSave: 'Save all as they are',
        keptCount: (waiting, wrong) => [
            waiting && (waiting === 1 ? '1 code is kept here and sent by itself.' : waiting + ' codes are kept here and sent by themselves.'),
            wrong && (wrong === 1 ? 'Look at 1 code.' : `Look at ${wrong} codes.`),
        ].filter(Boolean).join(' '),
        waitingTitle: 'Not delivered yet', waitingCodes: (count) => (count === 1 ? '1 code waits' : count + ' codes wait'),
        givenUpCodes: (count) => (count === 1 ? '1 code was given up' : count + ' codes were given up'),
        lastTry: (time, why) => `Last attempt ${time}: ${why}`, nextTry: when('Next attempt %'),
        pausedUntil: when('The receiver asked to be left alone until %'),
        wantsNoMore: (why) => `This destination was switched off: ${why}`, replayAll: (count) => `Deliver again (${count})`,
        replayed: (count) => (count === 1 ? '1 code is delivered again.' : count + ' codes are delivered again.'),
        counting: 'Count', countName: 'Name of the count', countOpen: 'Start counting', counted: 'counted',
        countTotal: (total, codes) => `${total} in all, ${codes === 1 ? '1 code' : codes + ' codes'}`,
        countNothing: 'Scan or type what is to be counted.', quantity: 'Quantity', undo: 'Undo the last',
        countClose: 'Close', countTo: 'Deliver to', countToAll: 'All destinations', countToNone: 'Nowhere, only as a file',
        countClosed: when('% is closed.'), countsBefore: 'Earlier counts', countUnnamed: when('Count %'),
        notCounted: 'A code was not counted: scan it again.',
        workplace: 'Who and where', nobody: 'Nobody is signed in: scan your badge', signOut: 'Sign out',
        nameBadge: 'Name of this badge', saveName: 'Save', noPlace: 'no place', changePlace: 'Change', signedInUntil: when('until %'),
        aloud: 'Speech and notifications', speakWhat: 'Say what is scanned', speakOff: 'Nothing', speakText: 'The content',
        speakDigits: 'The last four digits', speakSeen: 'Say “again” for a repeated code', speakWeight: 'Say the weight',
        spokenAgain: 'again', spokenFailed: 'not saved', notifyFailures: 'Notify when something is not saved or not delivered',
        notifyStation: 'Notify of what the station’s configuration names', notifyRule: 'Notify of codes that match', notifyRuleHint: 'Such as ^ORDER',
        notifyRefused: 'The browser does not allow notifications from this page.', notifyBadRule: 'This is not a regular expression.',
        noticeFailed: 'Not delivered', noticeUnsaved: 'Not saved', noticeMatch: 'Code read', speakNone: 'This browser has no voice.',
        bySource: { typed: 'Typed', count: 'Count' },
        errorReasons: {
            count_open: 'A count is open already.', nothing_to_undo: 'There is nothing to undo.', count_closed: 'This count is closed already.',
            no_such_line: 'This code is not in the count any more.', bad_quantity: 'The quantity must be 0 to 1,000,000.',
            unknown_key: 'The scan gun sent a key that is no character: set it to send GS as Ctrl+].',
            bad_name: 'This name is too long, or empty.', nobody_signed_in: 'Nobody is signed in: scan a badge first.',
        },
        byField: {},
    },
    zh: {
        search: '在内容中查找', filterMore: '日期、人员、地点', filterFrom: '从', filterTo: '到',
        operator: '人员', place: '地点', allOperators: '所有人员', allPlaces: '所有地点',
        unknownFormat: '未知码制', opensAs: '链接地址',
        apps: '本工作站的应用',
        typing: '手动输入', typingHint: '条码下方的号码', typingFormat: '码制', typingAny: '任意码',
        typingStore: '保存', typingKeep: '仍然保存', typingAgain: '修改',
        wrongCheckDigit: when('校验位不对：最后一位应为 %。请再核对号码。'),
        wrongLength: '位数与所选码制不符。', wrongElements: () => 'GS1 数据无效，请再核对。',
        typingEmpty: '请先输入号码。',
        keptTitle: '尚未送到工作站', keptState: '已保留在本页，将自动发送', keptSave: '全部仍然保存',
        keptCount: (waiting, wrong) => [
            waiting && `${waiting} 个码保留在本页，将自动发送。`, wrong && `请核对 ${wrong} 个码。`,
        ].filter(Boolean).join(''),
        waitingTitle: '尚未送达', waitingCodes: (count) => `${count} 个码等待发送`, givenUpCodes: (count) => `${count} 个码已放弃发送`,
        lastTry: (time, why) => `上次尝试 ${time}：${why}`, nextTry: when('下次尝试 %'),
        pausedUntil: when('接收方要求暂停发送至 %'),
        wantsNoMore: () => '接收方已停止接收，请联系管理员', replayAll: (count) => `重新发送（${count}）`,
        replayed: (count) => `正在重新发送 ${count} 个码。`,
        counting: '计数', countName: '计数名称', countOpen: '开始计数', counted: '已计入',
        countTotal: (total, codes) => `共 ${total} 件，${codes} 种码`,
        countNothing: '请扫描或输入要计数的码。', quantity: '数量', undo: '撤销上一个',
        countClose: '结束', countTo: '发送到', countToAll: '所有接收方', countToNone: '不发送，仅存为文件',
        countClosed: when('%已结束。'), countsBefore: '以前的计数', countUnnamed: when('计数 %'),
        notCounted: '有一个码没有计入，请重新扫描。',
        workplace: '人员与地点', nobody: '无人登录：请扫描工牌', signOut: '退出登录',
        nameBadge: '持牌人姓名', saveName: '保存', noPlace: '未设置地点', changePlace: '更改', signedInUntil: when('至 %'),
        aloud: '语音与通知', speakWhat: '朗读扫描内容', speakOff: '不朗读', speakText: '内容',
        speakDigits: '最后四位', speakSeen: '重复扫描时说“重复”', speakWeight: '朗读重量',
        spokenAgain: '重复', spokenFailed: '未保存', notifyFailures: '未保存或未送达时通知',
        notifyStation: '按工作站配置中的规则通知', notifyRule: '内容符合以下规则时通知', notifyRuleHint: '例如 ^ORDER',
        notifyRefused: '浏览器不允许本页发送通知。', notifyBadRule: '不是有效的正则表达式。',
        noticeFailed: '未送达', noticeUnsaved: '未保存', noticeMatch: '读到码', speakNone: '此浏览器没有语音。',
        bySource: { typed: '手动输入', count: '计数' },
        errorReasons: {
            count_open: '已有一个计数正在进行。', nothing_to_undo: '没有可以撤销的内容。', count_closed: '该计数已经结束。',
            no_such_line: '该码已不在计数中。', bad_quantity: '数量须为 0 到 1,000,000。', bad_name: '名称太长或为空。', unknown_key: '扫描枪发送了非字符按键：请将 GS 设为 Ctrl+]。',
            nobody_signed_in: '无人登录，请先扫描工牌。',
        },
        // By the name of a field, or what stands before the digits of its decimals: the station's own labels are English.
        byField: {
            '00': '物流单元代码', '01': '商品编号', '02': '内装商品编号', 10: '批号', 11: '生产日期', 12: '付款期限', 13: '包装日期',
            15: '保质期', 16: '销售截止日期', 17: '有效期', 20: '变体', 21: '序列号', 30: '数量', 37: '件数', 240: '附加产品标识',
            241: '客户零件号', 310: '净重（千克）', 392: '价格', 393: '价格', 400: '订单号', 401: '托运代码', 402: '装运代码', 410: '收货方',
            414: '位置代码', 421: '收货方邮编', 422: '原产国', 703: '加工方', 710: '国家药品编码', 8005: '单价', 8008: '生产时间', 8020: '付款单号',
            gtin: '商品编号', isbn: 'ISBN', issn: 'ISSN', host: '主机', scheme: '协议', note: '注意', ssid: '网络名称', network: '网络名称', password: '密码', security: '加密方式',
            name: '姓名', phone: '电话', mail: '电子邮件', address: '地址', organization: '单位', title: '职务', number: '号码', message: '内容',
            amount: '金额', currency: '币种', iban: 'IBAN', expiry: '有效期', lot: '批号', serial: '序列号', product: '产品', quantity: '数量',
            latitude: '纬度', longitude: '经度', subject: '主题', to: '收件人', body: '正文', start: '开始', end: '结束', location: '地点', summary: '标题',
        },
    },
};

/** Puts the words into those of the page; lists of words are joined. */
export function addTo(words) {
    for (const [language, added] of Object.entries(clerkWords)) {
        for (const [key, value] of Object.entries(added)) {
            const isList = typeof value === 'object';
            words[language][key] = isList ? { ...words[language][key], ...value } : value;
        }
    }
}
