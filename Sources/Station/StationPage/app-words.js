// The page's words in both languages, and which language it speaks.

import { addTo } from './app-clerk-words.js';
import { keyboardWords } from './app-keyboard-words.js';

const words = {
    en: {
        other: '中文', title: 'Scanning station · Quietzone', skip: 'Skip to the history', station: ' · Scanning station',
        camera: 'Camera', preview: 'What the camera sees', mode: 'When codes are read', continuous: 'Continuous',
        triggered: 'On demand', space: 'Space', trigger: 'Scan', triggering: 'Scanning…', nothingRead: 'No code was seen.',
        region: 'Region', drawing: 'Draw the region with the mouse. Esc ends.', wholePicture: 'Clear', wholePictureLabel: 'Clear the region: look at the whole picture',
        settings: 'Settings', regionNumbers: 'Region, in percent of the picture', left: 'Left', top: 'Top',
        width: 'Width', height: 'Height', latest: 'Latest code', copy: 'Copy', copied: 'Copied', retry: 'Deliver again',
        album: 'Pictures', choose: 'Choose pictures', orDrop: 'or drop or paste them here', history: 'History',
        allFormats: 'All formats', allStates: 'All states', pending: 'Waiting',
        dead: 'Given up', disabled: 'Switched off', delivered: 'Delivered', skipped: 'Not sent', saved: 'Saved', retrying: 'Trying again',
        failed: 'Not delivered', seen: 'Already seen', notSaved: 'Not saved', time: 'Time', content: 'Content',
        format: 'Format', source: 'Source', stateLabel: 'State', actions: 'Actions', more: 'Show more', cancel: 'Cancel',
        soundOn: 'Sound on', soundOff: 'Sound off', soundHeld: 'Sound: click to start', soundNone: 'No sound', emptyHistory: 'Nothing has been read yet.',
        emptyFound: 'Nothing in the history fits.', firstHint: 'Hold a code before the camera, or drop a picture here.',
        firstHintNoCamera: 'Type or scan a code, or drop a picture here.',
        cameraRunning: 'Camera on', cameraStarting: 'Camera starts', cameraLost: 'Camera lost', cameraNone: 'No camera', cameraUnknown: 'No connection',
        blankUnknown: 'Waiting for the station.', blankStarting: 'The camera is starting.', blankNone: 'This station has no camera. Choose pictures of codes, drop or paste them here, or type the code.',
        blankLost: 'The camera is gone. It comes back by itself when it is plugged in. Until then, pictures can be read.',
        gone: 'The station does not answer. What was read is safe, and what is scanned or typed here is kept; this page connects again and sends it by itself.',
        signIn: 'Sign in', token: 'Token', wrongToken: 'This is not the token of the station.',
        signInHint: 'Open the link, or scan the QR code, that scan-station shows in its terminal when it starts; or enter the token from the file that it names.',
        signedOut: 'The station does not take the token of this page any more. Sign in again.',
        asked: (who) => `${who} asks for a code`, askedAlbum: (who) => `${who} asks for a picture`, someone: 'A program',
        uploading: 'sending', reading: 'reading', picture: 'picture', uploads: 'Pictures that are sent',
        showPages: (count) => (count === 1 ? '1 page' : count + ' pages'), pageCodes: (page, count) => `Page ${page}: ` + (count === 1 ? '1 code' : count + ' codes'), failures: 'Pictures without a result',
        codes: (count) => (count === 1 ? '1 code' : count + ' codes'), noCode: 'no code', comma: ', ',
        countRead: (count, codes) => `${count} read` + (codes > count ? ` (${codes} codes)` : ''),
        countBad: (count) => `${count} could not be read`, countNone: (count) => `${count} without a code`,
        countSending: (count) => `${count} being read`, countWaiting: (count) => `${count} waiting`,
        again: 'Try again', againAll: 'Try all again', remove: 'Remove', removeAll: 'Remove all',
        waits: 'waiting', waits_away: 'waiting for the station', waits_busy: 'waiting', waits_full: 'waiting: the disk is full',
        waits_signedOut: 'waiting: sign in first', onlyHere: 'leave this page open until it is sent',
        badReasons: {
            unsupported_format: 'is no picture, or of a kind that cannot be read: save it as PNG or JPEG', corrupt: 'is damaged',
            too_large: 'is too large', timed_out: 'took too long', too_slow: 'took too long to send', empty_file: 'is empty',
            empty_body: 'is empty', unreadable: 'cannot be opened: it may be a folder, or gone', other: 'could not be read',
        },
        diskFull: 'The station’s disk is full: codes and pictures are not saved. Make room on the disk of the station’s computer, or call whoever looks after it. Pictures and what is typed wait here and are sent by themselves.',
        noRoom: 'The station’s disk is full: pictures cannot be read. Make room on the disk of the station’s computer, or call whoever looks after it. Pictures and what is typed wait here and are sent by themselves.',
        diskFailed: 'The station cannot write to its disk: codes and pictures are not saved. Call whoever looks after the station’s computer. Pictures and what is typed wait here and are sent by themselves.',
        unsavedTitle: 'Not saved: scan these again', unlisted: (count) => `${count} earlier ones are not listed.`,
        errorReasons: {
            not_saved: 'The station cannot save. Call whoever looks after its computer.', no_camera: 'The station has no camera.', camera_busy: 'The camera waits for a code for another page. Try again in a moment.',
            no_such_scan: 'This scan is not in the history any more.', withheld: 'Its content was personal and is not kept after the delivery.', other: 'The station could not do this. Try again, or call whoever looks after it.',
        },
        devices: 'Scan guns and scales', devicesReconnect: 'Connect again', devicesAway: 'not connected',
        devicesConnected: 'connected', devicesUnavailable: 'cannot be read', battery: (percent) => `battery ${percent} %`,
        learn: 'Find a gun', learnPort: 'RS-232 port', learnClose: 'Close', learnAlt: 'The code that the gun is to scan',
        learn_waiting: 'Scan this code with the gun, from the screen or from paper.',
        learn_found: 'Found. Write this into the station’s configuration, and start the station again:',
        learn_expired: 'No gun has scanned the code. Plug it in, and set it to end each code with Enter.',
        settingCodes: 'Codes that set a gun', setting: 'Setting', settingText: 'Text', settingShow: 'Show the code', print: 'Print',
        settingBad: 'Only ASCII letters, digits and symbols, up to the length of the setting.',
        settingAlt: (setting, text) => `Code 128: ${setting} ${text}`,
        bySetting: { 'bluetooth name': 'Name of a Bluetooth gun' },
        attempts: (count) => (count === 1 ? '1 attempt' : count + ' attempts'), next: 'next', now: 'now',
        deliveryFailed: (error) => error, skippedBecause: (reason) => reason,
        bySource: {
            camera: 'Camera', upload: 'Picture', file: 'File', folder: 'Folder', device: 'Device',
        },
        reveal: 'Show personal data', conceal: 'Hide personal data', openLink: 'Open this link',
        byContent: {
            gs1: 'GS1 data', gs1_link: 'GS1 link', gtin: 'Article number', driving_license: 'Driving license', boarding_pass: 'Boarding pass',
            credit_transfer: 'Credit transfer', swiss_bill: 'Swiss QR-bill', merchant_payment: 'Payment', hibc: 'Health product (HIBC)',
            isbt_128: 'Blood product (ISBT 128)', pzn: 'Medicine (PZN)', wifi: 'Wireless network', contact: 'Contact', event: 'Calendar entry',
            one_time_password: 'One-time password', mail: 'E-mail', phone: 'Telephone number', text_message: 'Text message',
            position: 'Place', url: 'Link',
        },
        phone: 'A phone, or this device’s camera', phoneUse: 'Use this device’s camera', phoneStop: 'Stop this device’s camera',
        phonePair: 'Connect a phone', phoneSymbol: 'The link for the phone as a QR symbol',
        phoneScan: 'Scan this with the phone within ten minutes. It may send codes for twelve hours, and sees only its own.',
        phoneInsecure: 'Scan this with the phone to send pictures that it takes. Its live camera needs TLS (see docs/reference/station.md).',
        phoneUnnamed: 'The station does not know its name in the network. Whoever looks after it can set server.hosts (see docs/reference/station.md).',
        phoneUnreachable: 'The station listens for this computer alone. Whoever looks after it can let it listen in the network, with TLS (see docs/reference/station.md).',
        phoneHere: (time, until) => `A phone, last here ${time}, until ${until}`, phoneAway: (until) => `Waiting for a phone until ${until}`,
        phoneEnd: 'Disconnect', phoneEnded: 'This phone may not send codes any more. Ask for a new symbol at the station.', phoneReady: 'Hold a code before the camera.',
        phoneRefused: 'The browser does not let this page use the camera: allow it beside the address.', phoneNone: 'This device has no camera that can be used.',
        freeze: 'Freeze', thaw: 'Resume', stillRead: 'Read it thoroughly', stillReading: 'Reading…',
        stillNothing: 'No code was found in this picture.', quick: 'Camera controls', blankType: 'Type a code',
        controls: {},
    },
    zh: {
        other: 'English', title: '扫码工作站 · Quietzone', skip: '跳到历史记录', station: ' · 扫码工作站', camera: '摄像头',
        preview: '摄像头画面', mode: '何时读码', continuous: '连续', triggered: '按需', space: '空格', trigger: '扫码',
        triggering: '正在扫码…', nothingRead: '没有看到码。', region: '区域', drawing: '用鼠标框选区域，按 Esc 结束。',
        wholePicture: '清除', wholePictureLabel: '清除区域，识别整个画面', settings: '设置', regionNumbers: '区域（画面的百分比）', left: '左', top: '上', width: '宽',
        height: '高', latest: '最新结果', copy: '复制', copied: '已复制', retry: '重新发送', album: '图片', choose: '选择图片',
        orDrop: '或拖放、粘贴到此处', history: '历史记录', allFormats: '全部码制', allStates: '全部状态',
        pending: '等待发送', dead: '已放弃', disabled: '已停用', delivered: '已送达', skipped: '未发送', saved: '已保存', retrying: '正在重试',
        failed: '未送达', seen: '已读过', notSaved: '未保存', time: '时间', content: '内容', format: '码制', source: '来源',
        stateLabel: '状态', actions: '操作', more: '显示更多', cancel: '取消', soundOn: '声音开', soundOff: '声音关', soundHeld: '声音：点击启用', soundNone: '没有声音',
        emptyHistory: '还没有读到任何码。', emptyFound: '没有符合条件的记录。', firstHint: '请将码对准摄像头，或把图片拖到这里。', firstHintNoCamera: '请输入或扫描码，或把图片拖到这里。',
        cameraRunning: '摄像头正常', cameraStarting: '摄像头启动中', cameraLost: '摄像头断开', cameraNone: '没有摄像头', cameraUnknown: '没有连接',
        blankUnknown: '正在等待工作站。', blankStarting: '摄像头正在启动。', blankNone: '本工作站没有摄像头。请选择、拖入或粘贴含有码的图片，或手动输入。',
        blankLost: '摄像头已断开，重新插上后会自动恢复。在此期间可以识别图片。',
        gone: '工作站没有响应。已读到的内容不会丢失，在此扫描或输入的内容会保留，本页会自动重新连接并发送。',
        signIn: '登录', token: '令牌', wrongToken: '这不是本工作站的令牌。',
        signInHint: '请用 scan-station 启动时在终端显示的链接或二维码打开本页，或输入它所指的文件中的令牌。',
        signedOut: '工作站不再接受本页的令牌，请重新登录。',
        asked: (who) => `${who} 请求扫码`, askedAlbum: (who) => `${who} 请求图片`, someone: '某个程序',
        uploading: '上传中', reading: '识别中', picture: '图片', uploads: '正在发送的图片',
        showPages: (count) => count + ' 页', pageCodes: (page, count) => `第 ${page} 页：${count} 个码`, failures: '没有结果的图片',
        codes: (count) => count + ' 个码', noCode: '没有码', comma: '，',
        countRead: (count, codes) => `已识别 ${count} 张` + (codes > count ? `（${codes} 个码）` : ''),
        countBad: (count) => `${count} 张无法识别`, countNone: (count) => `${count} 张没有码`,
        countSending: (count) => `${count} 张正在识别`, countWaiting: (count) => `${count} 张等待发送`,
        again: '重试', againAll: '全部重试', remove: '移除', removeAll: '全部移除',
        waits: '等待发送', waits_away: '等待工作站恢复', waits_busy: '等待发送', waits_full: '等待：磁盘已满',
        waits_signedOut: '等待：请先登录', onlyHere: '发送完成前请勿关闭本页',
        badReasons: {
            unsupported_format: '不是图片，或格式不支持，请另存为 PNG 或 JPEG', corrupt: '文件已损坏', too_large: '图片太大',
            timed_out: '识别超时', too_slow: '上传超时', empty_file: '文件是空的', empty_body: '文件是空的',
            unreadable: '无法打开：可能是文件夹，或已被删除', other: '无法识别',
        },
        diskFull: '工作站的磁盘已满，码和图片都无法保存。请清理工作站电脑的磁盘，或联系管理员。图片和输入的码会在本页等待，之后自动发送。',
        noRoom: '工作站的磁盘已满，图片无法识别。请清理工作站电脑的磁盘，或联系管理员。图片和输入的码会在本页等待，之后自动发送。',
        diskFailed: '工作站无法写入磁盘，码和图片都无法保存。请联系工作站电脑的管理员。图片和输入的码会在本页等待，之后自动发送。',
        unsavedTitle: '未保存，请重新扫描', unlisted: (count) => `另有更早的 ${count} 个未列出。`,
        errorReasons: {
            not_saved: '工作站无法保存，请联系管理员。', no_camera: '工作站没有摄像头。', camera_busy: '摄像头正在为另一个页面扫码，请稍后再试。', no_such_scan: '该记录已不存在。', withheld: '内容含个人信息，发送后不再保存。',
            other: '操作失败，请重试，或联系管理员。',
        },
        devices: '扫码枪和电子秤', devicesReconnect: '重新连接', devicesAway: '未连接',
        devicesConnected: '已连接', devicesUnavailable: '无法读取', battery: (percent) => `电量 ${percent}%`,
        learn: '查找扫码枪', learnPort: 'RS-232 串口', learnClose: '关闭', learnAlt: '请用扫码枪扫描的码',
        learn_waiting: '请用扫码枪扫描此码（屏幕上或打印件均可）。',
        learn_found: '已找到。请将以下内容写入工作站配置，然后重新启动工作站：',
        learn_expired: '没有扫码枪扫描此码。请连接扫码枪，并设置为每个码以回车结束。',
        settingCodes: '扫码枪设置码', setting: '设置项', settingText: '内容', settingShow: '显示设置码', print: '打印',
        settingBad: '只能使用 ASCII 字母、数字和符号，且不能超过该设置项的长度。',
        settingAlt: (setting, text) => `Code 128：${setting} ${text}`,
        bySetting: { 'bluetooth name': '蓝牙扫码枪名称' },
        attempts: (count) => '尝试 ' + count + ' 次', next: '下次', now: '现在',
        skippedBecause: () => '按设置没有发送到这里',
        deliveryFailed: (error, status) => `接收方没有收到${status === undefined ? '' : `（状态 ${status}）`}，如持续出现，请联系管理员`,
        bySource: {
            camera: '摄像头', upload: '图片', file: '文件', folder: '文件夹', device: '设备',
        },
        reveal: '显示个人信息', conceal: '隐藏个人信息', openLink: '打开此链接',
        byContent: {
            gs1: 'GS1 数据', gs1_link: 'GS1 链接', gtin: '商品条码', driving_license: '驾驶证', boarding_pass: '登机牌',
            credit_transfer: '银行转账', swiss_bill: '瑞士二维码账单', merchant_payment: '付款码', hibc: '医疗产品（HIBC）',
            isbt_128: '血液制品（ISBT 128）', pzn: '药品（PZN）', wifi: '无线网络', contact: '联系人', event: '日程', one_time_password: '一次性密码',
            mail: '电子邮件', phone: '电话号码', text_message: '短信', position: '位置', url: '链接',
        },
        phone: '手机或本机摄像头', phoneUse: '使用本机摄像头', phoneStop: '停用本机摄像头', phonePair: '连接手机',
        phoneSymbol: '手机页面链接的二维码',
        phoneHere: (time, until) => `手机，最近在线 ${time}，有效期至 ${until}`, phoneAway: (until) => `尚未连接的手机，有效期至 ${until}`,
        phoneEnd: '断开', phoneEnded: '本手机已不能再发送码，请在工作站重新获取二维码。', phoneReady: '请将码对准摄像头。',
        phoneScan: '请在十分钟内用手机扫描此二维码。该手机可在十二小时内发送扫到的码，但看不到任何数据。',
        phoneInsecure: '手机可以通过此二维码连接并发送拍摄的图片；使用实时摄像头需要 TLS（见 docs/reference/station.md）。',
        phoneUnnamed: '工作站没有设置网络名称。请管理员设置 server.hosts（见 docs/reference/station.md）。',
        phoneUnreachable: '工作站目前只允许本机访问。请管理员启用网络访问和 TLS（见 docs/reference/station.md）。',
        phoneRefused: '浏览器不允许本页使用摄像头，请在地址栏旁允许。', phoneNone: '本机没有可用的摄像头。',
        freeze: '定格', thaw: '继续', stillRead: '仔细识别', stillReading: '正在识别…', stillNothing: '这张画面中没有找到码。',
        quick: '摄像头调节', blankType: '手动输入',
        controls: {
            focus_absolute: '对焦', focus_automatic_continuous: '自动对焦', focus_auto: '自动对焦', auto_exposure: '自动曝光',
            exposure_auto: '自动曝光', exposure_time_absolute: '曝光时间', exposure_absolute: '曝光时间', zoom_absolute: '变焦',
            brightness: '亮度', contrast: '对比度', saturation: '饱和度', sharpness: '锐度', gain: '增益', gamma: '伽马',
            white_balance_automatic: '自动白平衡', white_balance_temperature: '白平衡色温', power_line_frequency: '电源频率',
            backlight_compensation: '背光补偿', exposure_dynamic_framerate: '曝光时可变帧率', pan_absolute: '水平转动',
            tilt_absolute: '垂直转动',
        },
    },
};

addTo(words);
for (const language of Object.keys(words)) Object.assign(words[language], keyboardWords[language]);

const kept = localStorage.getItem('quietzone.language');
let language = kept === 'zh' || kept === 'en' ? kept : (/^zh\b/i.test(navigator.language || '') ? 'zh' : 'en');

/** The words of `key` in the page's language; some take values. */
export function word(key, ...values) {
    const found = words[language][key];
    return typeof found === 'function' ? found(...values) : found;
}

/** BCP 47, for dates and for readers of the screen. */
export function locale() {
    return language === 'zh' ? 'zh-CN' : 'en-GB';
}

/** Whether this is the page's language; the station's own sentences are English. */
export function isEnglish() {
    return language === 'en';
}

/** A moment as a clock shows it, with its day where that is another one, or where it `isLong`. */
export function time(moment, isLong) {
    const date = new Date(moment);
    const isToday = date.toDateString() === new Date().toDateString();
    const day = isToday && !isLong ? {} : { year: 'numeric', month: '2-digit', day: '2-digit' };
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false };
    return date.toLocaleString(locale(), { ...day, ...clock });
}

/** What a person is told of a request that failed: by its reason where that is known. */
export function errorWord(error) {
    const { errorReasons } = words[language];
    if (!error.status) return word('gone');
    if (errorReasons[error.reason]) return errorReasons[error.reason];
    // Whoever looks after the station finds what is wrong in its log.
    const isForPerson = error.status < 500 && isEnglish();
    return isForPerson ? error.message : errorReasons.other;
}

export function switchLanguage() {
    language = language === 'zh' ? 'en' : 'zh';
    localStorage.setItem('quietzone.language', language);
}

/** A camera's control by its V4L2 name. */
export function controlWord(name) {
    const plain = name.replace(/_absolute$/, '').replace(/_/g, ' ');
    return words[language].controls[name] || plain[0].toUpperCase() + plain.slice(1);
}

/** Why a picture could not be read, by the station's word for it. */
export function reasonWord(reason) {
    return words[language].badReasons[reason] || words[language].badReasons.other;
}

/** What a message is, by the station's word for it. */
export function contentWord(kind) {
    return words[language].byContent[kind] || kind.replaceAll('_', ' ');
}

/** What a setting of a gun is called; those of a file by their own names. */
export function settingWord(setting) {
    return words[language].bySetting[setting.maker + ' ' + setting.name] || setting.maker + ': ' + setting.name;
}

/** The name of a field of a message; the station's own labels are English. */
export function fieldWord({ name, label }) {
    const { byField } = words[language];
    return byField[name] || byField[String(name).slice(0, 3)] || label || String(name).replaceAll('_', ' ');
}

export function sourceWord(kind) {
    return words[language].bySource[kind] || kind;
}

/** Puts the words into everything in the document that names one. */
export function translate() {
    document.documentElement.lang = locale();
    document.title = word('title');
    for (const one of document.querySelectorAll('[data-t]')) one.textContent = word(one.dataset.t);
    for (const one of document.querySelectorAll('[data-t-label]')) one.setAttribute('aria-label', word(one.dataset.tLabel));
    for (const one of document.querySelectorAll('[data-t-placeholder]')) one.placeholder = word(one.dataset.tPlaceholder);
    const button = document.getElementById('language');
    button.textContent = word('other');
    button.lang = language === 'zh' ? 'en' : 'zh';
}
